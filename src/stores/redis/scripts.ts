// Every operation that must be atomic, as one Lua script. All keys are declared, so that clusters and Dragonfly can
// route and lock them. Ids and owners arrive as keyOf(id): no newline in them, so a newline separates parts.
// Bodies are never decoded in Lua: its JSON would turn an empty list into an empty map.

export interface Script {
  readonly name: string;
  readonly lua: string;
}

/** KEYS schema. ARGV the version of this program. Returns the version of the keys, set now if there was none. */
export const ADOPT: Script = {
  name: 'adopt',
  lua: `
local found = redis.call('GET', KEYS[1])
if found then return found end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]`,
};

/** KEYS entries (list), numbers (hash). ARGV id, body. Returns the entry's number, new or known. */
export const LOG_APPEND: Script = {
  name: 'log-append',
  lua: `
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known then return tonumber(known) end
local number = redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], number)
return number`,
};

/** KEYS records (hash), groups (sorted set). ARGV id, expected version, group ('' or ':' and its key), body.
 *  A record is "version\\nposition\\ngroup\\nid\\nbody"; a group's member "group\\nposition\\nid".
 *  Returns 1, or 0 when the version is another. */
export const VERSIONED_PUT: Script = {
  name: 'versioned-put',
  lua: `
local found = redis.call('HGET', KEYS[1], ARGV[1])
local version, position, group = '0', nil, ''
if found then version, position, group = string.match(found, '^(%d+)\\n(%d+)\\n([^\\n]*)\\n') end
if version ~= ARGV[2] then return 0 end
if not position then position = string.format('%015d', redis.call('HLEN', KEYS[1])) end
if group ~= '' and group ~= ARGV[3] then
  redis.call('ZREM', KEYS[2], group .. '\\n' .. position .. '\\n' .. ARGV[1])
end
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[2], 0, ARGV[3] .. '\\n' .. position .. '\\n' .. ARGV[1]) end
local record = {string.format('%d', tonumber(version) + 1), position, ARGV[3], ARGV[1], ARGV[4]}
redis.call('HSET', KEYS[1], ARGV[1], table.concat(record, '\\n'))
return 1`,
};

/** Writes a task's record and its place in the ranking. `into` is 'finished', 'blocked' or ''. A member of a ranking
 *  is "change\\nid": of equal times the set orders by it, so the number of the change breaks the tie. */
const WRITE_TASK = `
local function write(task, changes, finished, blocked, id, status, updated_at, body, into, rank)
  local before = redis.call('HGET', task, 'ranked')
  if before and before ~= '' then
    redis.call('ZREM', finished, before)
    redis.call('ZREM', blocked, before)
  end
  local member = ''
  if into ~= '' then
    member = string.format('%015d', redis.call('INCR', changes)) .. '\\n' .. id
    redis.call('ZADD', into == 'finished' and finished or blocked, rank, member)
  end
  redis.call('HSET', task, 'status', status, 'updated_at', updated_at, 'body', body, 'ranked', member)
end`;

/** KEYS task (hash), order (list), changes, finished, blocked. ARGV id, status, updated_at, body, into, rank.
 *  Returns 1, or 0 when the id is known. */
export const TASK_ADD: Script = {
  name: 'task-add',
  lua: `${WRITE_TASK}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
write(KEYS[1], KEYS[3], KEYS[4], KEYS[5], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6])
redis.call('HSET', KEYS[1], 'token', 0, 'owner', '', 'lease_ends_at', 0)
redis.call('RPUSH', KEYS[2], ARGV[1])
return 1`,
};

/** KEYS task. ARGV owner, now, end of the lease, now as ISO time, token of a dead claim or ''. Returns the token, or 0 when there is nothing to
 *  take. Neither a queued nor a running task is ranked, so the rankings stay as they are. */
export const TASK_CLAIM: Script = {
  name: 'task-claim',
  lua: `
local status, ends, token = unpack(redis.call('HMGET', KEYS[1], 'status', 'lease_ends_at', 'token'))
if status == 'queued' then
  redis.call('HSET', KEYS[1], 'status', 'running', 'updated_at', ARGV[4])
elseif status ~= 'running' or (tonumber(ends) >= tonumber(ARGV[2]) and token ~= ARGV[5]) then
  return 0
end
redis.call('HSET', KEYS[1], 'owner', ':' .. ARGV[1], 'lease_ends_at', ARGV[3])
return redis.call('HINCRBY', KEYS[1], 'token', 1)`,
};

/** Whether the claim is the newest. An owner is stored as ':' and its key; '' is nobody. */
const IS_HELD = `
local function is_held(task, token, owner)
  local held = redis.call('HMGET', task, 'token', 'owner')
  return held[1] == token and held[2] == ':' .. owner
end`;

/** KEYS task. ARGV token, owner, end of the lease. Returns 1, or 0 for a stale claim. */
export const TASK_RENEW: Script = {
  name: 'task-renew',
  lua: `${IS_HELD}
if not is_held(KEYS[1], ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'lease_ends_at', ARGV[3])
return 1`,
};

/** KEYS task, changes, finished, blocked. ARGV id, status, updated_at, body, into, rank, token, owner.
 *  Returns 1, or 0 for a stale claim. The token outlives the claim: the next must be higher. */
export const TASK_UPDATE: Script = {
  name: 'task-update',
  lua: `${WRITE_TASK}${IS_HELD}
if not is_held(KEYS[1], ARGV[7], ARGV[8]) then return 0 end
write(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6])
if ARGV[2] ~= 'running' then redis.call('HSET', KEYS[1], 'owner', '', 'lease_ends_at', 0) end
return 1`,
};

/** KEYS task, changes, finished, blocked. ARGV id, status, updated_at, body, into, rank, now.
 *  Returns 'done', 'unknown', or ':' and the owner who holds it. */
export const TASK_AMEND: Script = {
  name: 'task-amend',
  lua: `${WRITE_TASK}
local owner, ends = unpack(redis.call('HMGET', KEYS[1], 'owner', 'lease_ends_at'))
if not owner then return 'unknown' end
if owner ~= '' and tonumber(ends) >= tonumber(ARGV[7]) then return owner end
write(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6])
redis.call('HSET', KEYS[1], 'owner', '', 'lease_ends_at', 0)
return 'done'`,
};

/** KEYS attempts of the task (list), tasks with attempts (list), task (hash). ARGV task id, number, body, token ('' for
 *  no claim), owner. Returns 0, -1 for a stale claim, or the number that would have been right. */
export const ATTEMPT_APPEND: Script = {
  name: 'attempt-append',
  lua: `${IS_HELD}
if ARGV[4] ~= '' and not is_held(KEYS[3], ARGV[4], ARGV[5]) then return -1 end
local next = redis.call('LLEN', KEYS[1]) + 1
if tonumber(ARGV[2]) ~= next then return next end
redis.call('RPUSH', KEYS[1], ARGV[3])
if next == 1 then redis.call('RPUSH', KEYS[2], ARGV[1]) end
return 0`,
};

/** KEYS attempts of the task (list), cleared (hash). ARGV task id. Returns the number up to which they are closed. */
export const ATTEMPT_CLEAR: Script = {
  name: 'attempt-clear',
  lua: `
local count = redis.call('LLEN', KEYS[1])
if count > 0 then redis.call('HSET', KEYS[2], ARGV[1], count) end
return count`,
};
