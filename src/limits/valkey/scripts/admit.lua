-- Admits a request if its units are free, and counts it.
-- KEYS[1]  the log of one id: a sorted set with a member for each unit that was taken, scored with its time
-- ARGV     the limit, the units asked for (0 only looks), the window in ms, who asks, the number of the first unit,
--          then a number and an age in ms for each earlier admission that the server may not know
-- Returns  whether it was admitted, the units in use, the ms until the oldest of them is free, the ms until enough
--          are free (0 if they are), and the time in ms.
local log = KEYS[1]
local limit, units, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local who, number = ARGV[4], tonumber(ARGV[5])
local time = now()

-- The server's clock may be set back. Then the log moves with it, so that the window keeps its length.
local newest = tonumber(redis.call("ZRANGE", log, -1, -1, "WITHSCORES")[2] or 0)
if newest > time then
  for _, member in ipairs(redis.call("ZRANGE", log, 0, -1)) do
    redis.call("ZINCRBY", log, time - newest, member)
  end
  redis.call("PEXPIRE", log, window)
end
redis.call("ZREMRANGEBYSCORE", log, "-inf", time - window)

-- A member that is there already keeps its time. So it does no harm to tell of an admission twice.
for index = 6, #ARGV, 2 do
  local age = tonumber(ARGV[index + 1])
  if age < window then redis.call("ZADD", log, "NX", time - age, who .. ARGV[index]) end
end

local used = redis.call("ZCARD", log)
local lacking = used + units - limit
local admitted = units > 0 and lacking <= 0
if admitted then
  for unit = 0, units - 1 do
    redis.call("ZADD", log, time, who .. string.format("%d", number + unit))
  end
  used = used + units
end
if admitted or #ARGV > 5 then redis.call("PEXPIRE", log, window) end

local function msUntilGone(count)
  local last = redis.call("ZRANGE", log, count - 1, count - 1, "WITHSCORES")[2]
  return last and tonumber(last) + window - time or 0
end
local wait = 0
if not admitted and lacking > 0 then wait = msUntilGone(lacking) end
return { admitted and 1 or 0, used, msUntilGone(1), wait, time }
