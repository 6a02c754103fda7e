-- Begins to count anew after a success.
-- KEYS[1]  the failures of a source
return redis.call("DEL", KEYS[1])
