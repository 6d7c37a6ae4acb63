// Error messages of model services and their clients, for every agent: tried after the agent's own
// rules. The order decides: a used-up quota names limits as well, and "your session rate limit" is no quota.
// Numbers count only beside a word such as status: a stack trace is full of them.

import type { ErrorRule } from '../../kernel/agent.ts';

export const COMMON_RULES: readonly ErrorRule[] = [
  {
    class: 'setup',
    text: 'not (running in|inside) a trusted directory|workspace trust required|no providers configured|no auth type is selected|no prompt provided|model[_ ]not[_ ]found|unknown (option|argument|flag)|unexpected argument',
    codes: ['model_not_found'],
    statuses: [404],
    exitCodes: [126],
  },
  { class: 'rate_limit', text: '(hit|reached) (your|the) (\\w+ )?rate limit' },
  {
    class: 'quota',
    text: 'insufficient_quota|quota[_ ](exceeded|exhausted)|exceeded your current quota|exhausted your (daily quota|capacity)|usage limit reached|out of (usage|extra usage|credits|budget|your (included )?AI credits)|hit your [^.]{0,40}(limit|budget|spend cap)|reached your (usage|workspace|spend|monthly|weekly)|spend(ing)? (cap|limit)|credit balance is too low|credits exhausted|insufficient credits|requires usage credits|payment required|session_quota_exceeded|billing_(error|not_configured)',
    codes: ['insufficient_quota', 'quota_exceeded', 'billing_error'],
    statuses: [402],
  },
  {
    class: 'auth',
    text: 'authentication_failed|not logged in|please run /login|invalid (api key|auth token|x-api-key)|incorrect api key|(token|login) (revoked|expired|has expired)|could not be refreshed|log out and sign in|failed to authenticate|authentication (error|required|failed|token validation failed)|no authentication information|not able to authenticate you|permission was denied. check your api key|unauthori[sz]ed|(status|code|http|error)\\W{0,4}401\\b|^401\\b',
    codes: ['authentication_error', 'authentication_failed', 'permission_error', 'invalid_api_key'],
    statuses: [401, 403],
  },
  {
    class: 'rate_limit',
    text: 'rate[_ -]?limit|too many requests|temporarily limiting requests|retry in [0-9.]+ ?m?s\\b|retry after [0-9.]+ ?m?s\\b|resource_exhausted|(status|code|http|error)\\W{0,4}429\\b|\\(429\\)|^429\\b',
    codes: ['rate_limit_error', 'rate_limit', 'rate_limited', 'RESOURCE_EXHAUSTED'],
    statuses: [429],
  },
  {
    class: 'context',
    text: "context[_ ](window|length)|maximum context|prompt is too long|too many tokens|out of room in the model's context",
    codes: ['context_length_exceeded'],
    statuses: [413],
  },
  {
    class: 'overload',
    text: 'overloaded|at capacity|high (demand|load)|capacity unavailable|server_busy|service unavailable|internal server error|bad gateway|(status|code|http|error)\\W{0,4}(50[0234]|529)\\b|^(50[0234]|529)\\b',
    codes: ['overloaded_error', 'overloaded', 'server_error'],
    statuses: [408, 500, 502, 503, 504, 529],
  },
  {
    class: 'network',
    text: 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|fetch failed|could not resolve host|connection (refused|reset|error|failed|timed out)|stream disconnected|network error|dns error',
  },
  { class: 'missing', exitCodes: [127] },
];
