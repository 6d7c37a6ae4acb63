// Tokens of the services that most projects use (redact-formats.ts has the rules).

import type { SecretFormat } from './redact-formats.ts';

const DISCORD_PAIRS = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'];

export const TOKENS: readonly SecretFormat[] = [
  {
    name: 'AWS access key',
    needles: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /A[A-Z]{3}[A-Z0-9]{16,}/y,
    isWord: true,
  },
  { name: 'GitHub token', needles: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /gh[a-z]_[A-Za-z0-9]{36,}/y },
  { name: 'GitHub fine-grained token', needles: ['github_pat_'], pattern: /github_pat_\w{40,}/y },
  {
    name: 'GitLab token',
    needles: [
      ...[
        'glpat-',
        'gldt-',
        'glrt-',
        'glptt-',
        'glcbt-',
        'glsoat-',
        'gloas-',
        'glft-',
        'glagent-',
        'glffct-',
        'glimt-',
      ],
      'glrtr-',
      'glwt-',
    ],
    pattern: /gl[a-z]+-[\w.-]{20,}/y,
    isWord: true,
  },
  { name: 'Anthropic key', needles: ['sk-ant-'], pattern: /sk-ant-[\w-]{20,}/y },
  { name: 'OpenRouter key', needles: ['sk-or-v1-'], pattern: /sk-or-v1-[0-9a-f]{32,}/y },
  {
    name: 'OpenAI project key',
    needles: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    pattern: /sk-[a-z]+-[\w-]{20,}/y,
    isWord: true,
  },
  { name: 'OpenAI key', needles: ['sk-'], pattern: /sk-[A-Za-z0-9]{32,}/y, isWord: true },
  { name: 'Google API key', needles: ['AIza'], pattern: /AIza[\w-]{35,}/y },
  { name: 'Google OAuth token', needles: ['ya29.'], pattern: /ya29\.[\w-]{20,}/y },
  { name: 'Google client secret', needles: ['GOCSPX-'], pattern: /GOCSPX-[\w-]{20,}/y },
  {
    name: 'Slack token',
    needles: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe.', 'xapp-'],
    pattern: /x[a-z]{3}[.-][\w.-]{10,}/y,
    isWord: true,
  },
  {
    name: 'Slack webhook',
    needles: ['hooks.slack.com/'],
    pattern: /(hooks\.slack\.com\/[a-z]{1,20}\/)[A-Za-z0-9/]{20,}/y,
  },
  {
    name: 'Discord webhook',
    needles: ['/api/webhooks/'],
    pattern: /(\/api\/webhooks\/)\d{15,22}\/[\w-]{40,}/y,
  },
  {
    name: 'Stripe key',
    needles: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    pattern: /[rs]k_[a-z]+_[A-Za-z0-9]{16,}/y,
    isWord: true,
  },
  { name: 'webhook signing secret', needles: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/=]{24,}/y },
  { name: 'npm token', needles: ['npm_'], pattern: /npm_[A-Za-z0-9]{36,}/y },
  { name: 'PyPI token', needles: ['pypi-Ag'], pattern: /pypi-Ag[\w-]{40,}/y },
  { name: 'RubyGems key', needles: ['rubygems_'], pattern: /rubygems_[0-9a-f]{48,}/y },
  { name: 'crates.io token', needles: ['cio'], pattern: /cio[A-Za-z0-9]{32,}/y, isWord: true },
  { name: 'Docker token', needles: ['dckr_pat_', 'dckr_oat_'], pattern: /dckr_[a-z]+_[\w-]{20,}/y },
  { name: 'SendGrid key', needles: ['SG.'], pattern: /SG\.[\w-]{16,64}\.[\w-]{16,}/y, isWord: true },
  { name: 'Brevo key', needles: ['xkeysib-'], pattern: /xkeysib-[0-9a-f]{64,}[\w-]*/y },
  { name: 'Mailgun key', needles: ['key-'], pattern: /key-[0-9a-f]{32,}/y, isWord: true },
  { name: 'Mailchimp key', needles: ['-us'], pattern: /-us\d{1,2}/y, before: /(?<![0-9A-Za-z])[0-9a-f]{32}$/ },
  { name: 'Twilio key', needles: hexDigitsAfter('SK'), within: ['SK'], pattern: /SK[0-9a-f]{32,}/y, isWord: true },
  { name: 'Telegram bot token', needles: [':AA'], pattern: /:AA[\w-]{33,}/y, before: /(?<!\d)\d{8,10}$/ },
  {
    name: 'Discord token',
    needles: discordBeginnings(),
    within: DISCORD_PAIRS,
    pattern: /[MNO][\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}/y,
    isWord: true,
  },
  { name: 'JSON web token', needles: ['eyJ'], pattern: /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/y, isWord: true },
  { name: 'age key', needles: ['AGE-SECRET-KEY-1'], pattern: /AGE-SECRET-KEY-1[0-9A-Z]{50,}/y },
  {
    name: 'Azure connection key',
    needles: ['AccountKey=', 'SharedAccessKey=', 'SharedSecret='],
    pattern: /([A-Za-z]+=)[A-Za-z0-9+/]{32,}={0,2}/y,
  },
  { name: 'Azure signature', needles: ['&sig=', '?sig='], pattern: /(.sig=)[A-Za-z0-9%+/=_-]{40,}/y },
  {
    name: 'Azure client secret',
    needles: digitsBefore('Q~'),
    within: ['Q~'],
    pattern: /\dQ~[\w~.-]{31,}/y,
    before: /[\w~.]{3}$/,
  },
  { name: 'DigitalOcean token', needles: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: /do[a-z]_v1_[0-9a-f]{64,}/y },
  {
    name: 'Hugging Face token',
    needles: ['hf_', 'api_org_'],
    pattern: /(?:hf|api_org)_[A-Za-z0-9]{30,}/y,
    isWord: true,
  },
  { name: 'Databricks token', needles: ['dapi'], pattern: /dapi[0-9a-f]{32,}(?:-\d)?/y, isWord: true },
  {
    name: 'Shopify token',
    needles: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /shp[a-z]{2}_[0-9a-fA-F]{32,}/y,
  },
  { name: 'Linear key', needles: ['lin_api_', 'lin_oauth_'], pattern: /lin_[a-z]+_[A-Za-z0-9]{32,}/y },
  { name: 'GitLab runner registration', needles: ['GR1348941'], pattern: /GR1348941[\w-]{20,}/y, isWord: true },
  { name: 'GitLab session', needles: ['_gitlab_session='], pattern: /(_gitlab_session=)[0-9a-z]{32,}/y },
  { name: 'Notion secret', needles: ['secret_', 'ntn_'], pattern: /(?:secret|ntn)_[A-Za-z0-9]{40,}/y, isWord: true },
  { name: 'Vault token', needles: ['hvs.', 'hvb.', 'hvr.'], pattern: /hv[a-z]\.[\w-]{20,}/y, isWord: true },
  {
    name: 'Terraform token',
    needles: ['.atlasv1.'],
    pattern: /\.atlasv1\.[\w=-]{50,}/y,
    before: /[A-Za-z0-9]{14}$/,
  },
  {
    name: 'Doppler token',
    needles: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    pattern: /dp\.[a-z]+\.[\w.-]{40,}/y,
    isWord: true,
  },
  { name: 'Grafana token', needles: ['glsa_', 'glc_'], pattern: /gl[a-z]+_[A-Za-z0-9+/=_]{32,}/y, isWord: true },
  { name: 'Sentry token', needles: ['sntrys_', 'sntryu_'], pattern: /sntry[a-z]_[A-Za-z0-9+/=_-]{40,}/y },
  { name: 'New Relic key', needles: ['NRAK-', 'NRIQ-', 'NRJS-'], pattern: /NR[A-Z]{2}-[A-Za-z0-9_-]{19,}/y },
  { name: 'Postman key', needles: ['PMAK-'], pattern: /PMAK-[0-9a-f]{24}-[0-9a-f]{30,}/y },
  { name: 'Atlassian token', needles: ['ATATT3', 'ATCTT3', 'ATSTT3'], pattern: /AT[A-Z]{3}3[\w=-]{60,}/y },
  { name: 'Heroku key', needles: ['HRKU-'], pattern: /HRKU-[\w-]{30,}/y },
  { name: 'Netlify token', needles: ['nfp_'], pattern: /nfp_[A-Za-z0-9]{36,}/y },
  { name: 'Pulumi token', needles: ['pul-'], pattern: /pul-[0-9a-f]{40,}/y, isWord: true },
  { name: 'Supabase key', needles: ['sbp_', 'sb_secret_'], pattern: /(?:sbp|sb_secret)_[\w-]{20,}/y, isWord: true },
  { name: 'PlanetScale token', needles: ['pscale_'], pattern: /pscale_[a-z]+_[\w.=-]{32,}/y },
  { name: 'Square token', needles: ['sq0atp-', 'sq0csp-', 'sq0idp-'], pattern: /sq0[a-z]{3}-[\w-]{22,}/y },
  { name: 'Airtable token', needles: ['pat'], pattern: /pat[A-Za-z0-9]{14}\.[0-9a-f]{64,}/y, isWord: true },
  { name: 'Figma token', needles: ['figd_', 'figo_', 'figu_'], pattern: /fig[a-z]_[\w-]{36,}/y },
  { name: 'Groq key', needles: ['gsk_'], pattern: /gsk_[A-Za-z0-9]{40,}/y, isWord: true },
  { name: 'xAI key', needles: ['xai-'], pattern: /xai-[A-Za-z0-9]{60,}/y, isWord: true },
  { name: 'Perplexity key', needles: ['pplx-'], pattern: /pplx-[A-Za-z0-9]{40,}/y },
  { name: 'Replicate token', needles: ['r8_'], pattern: /r8_[A-Za-z0-9]{37,}/y, isWord: true },
  { name: 'Tailscale key', needles: ['tskey-'], pattern: /tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{20,}/y, isWord: true },
  { name: '1Password token', needles: ['ops_eyJ'], pattern: /ops_eyJ[\w+/=-]{80,}/y },
  { name: 'Artifactory key', needles: ['AKCp'], pattern: /AKCp[A-Za-z0-9]{60,}/y, isWord: true },
];

function hexDigitsAfter(start: string): readonly string[] {
  return [...'0123456789abcdef'].map((digit) => start + digit);
}

function digitsBefore(end: string): readonly string[] {
  return [...'0123456789'].map((digit) => digit + end);
}

/** A Discord token begins with a decimal id in base64: two digits fix its first two characters and leave ten thirds. */
function discordBeginnings(): readonly string[] {
  return DISCORD_PAIRS.flatMap((pair) => [...'AEIMQUYcgk'].map((third) => pair + third));
}
