-- Returns for how many ms one source is blocked; 0 if it is not.
-- KEYS[1]  when its block ends
-- ARGV     the length of a block in ms, and for how many ms the asker itself blocks the source
local block = KEYS[1]
local length, own = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = now()
local till = tonumber(redis.call("GET", block) or 0)
if till - time > length then
  -- The server's clock was set back.
  till = time + length
  redis.call("SET", block, till, "PX", length)
elseif till <= time and own > 0 then
  till = time + own
  redis.call("SET", block, till, "PX", own)
end
return math.max(0, till - time)
