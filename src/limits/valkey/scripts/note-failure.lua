-- Counts a failure of one source, and blocks the source if it is one too many.
-- KEYS     the times of the source's failures in a row, a list, oldest first; when its block ends
-- ARGV     how many failures block it, the window in ms, the length of a block in ms
-- Returns  whether this failure blocked it, the number of its failures, and for how many ms it is blocked.
local failures, block = KEYS[1], KEYS[2]
local most, window, length = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = now()

-- Requests that were in progress when the block began do not extend it. If the server's clock was set back, the block
-- is no longer than a new one.
local left = math.min(tonumber(redis.call("GET", block) or 0) - time, length)
if left > 0 then return { 0, 0, left } end

local recent = {}
for _, at in ipairs(redis.call("LRANGE", failures, 0, -1)) do
  if tonumber(at) > time - window then recent[#recent + 1] = math.min(tonumber(at), time) end
end
recent[#recent + 1] = time
redis.call("DEL", failures)
if #recent >= most then
  redis.call("SET", block, time + length, "PX", length)
  return { 1, 0, length }
end
redis.call("RPUSH", failures, unpack(recent))
redis.call("PEXPIRE", failures, window)
return { 0, #recent, 0 }
