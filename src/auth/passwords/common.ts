/**
 * The most common passwords of at least 12 characters, in lower case. Shorter ones are refused anyway, and so are
 * those of one character. It need not be long: the lockout stops a client that tries more than a few.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 0123456789012 123412341234 123123123123
  121212121212 112233445566 123321123321 098765432100 987654321012 12345678900987654321 1234567891011 123456789101112
  123456654321 102030405060 147258369147 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i q1w2e3r4t5y6 1qaz2wsx3edc
  1qaz2wsx3edc4rfv zaq12wsxcde3 qazwsxedcrfv qazwsxedc123 qwertyuiop12 qwertyuiop123 qwertyuiopasdf
  qwertyuiopasdfghjklzxcvbnm qwertyuiopasdfghjkl qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty qweasdzxc123
  asdfghjkl123 asdfghjklzxcvbnm asdfasdfasdf zxcvbnm12345 abcdefghijkl abcdefghijklmnopqrstuvwxyz abcdefg12345
  abc123456789 abcd12345678 abcabcabcabc password1234 password12345 password123456 password1234567 passwordpassword
  password@123 p@ssw0rd1234 p@ssword1234 passw0rd1234 mypassword123 newpassword1 passwordabcd iloveyou1234
  iloveyou12345 iloveyou123456 iloveyouforever iloveyousomuch ilovemyfamily letmein12345 letmeinletmein welcome12345
  welcome123456 welcomewelcome changeme1234 administrator admin1234567 admin12345678 adminadminadmin admin@123456
  root12345678 trustno1trustno1 correcthorsebatterystaple sunshine1234 princess1234 football1234 baseball1234
  basketball123 superman1234 liverpool123 manchesterunited
  `
    .trim()
    .split(/\s+/),
);
