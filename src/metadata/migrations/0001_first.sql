create table workspaces (
  id text primary key,
  name text not null unique,
  kind text not null,
  created_at text not null,
  rate_limit_per_minute integer not null default 1000,
  allowlist text not null default '[]',
  max_token_lifetime_seconds integer,
  audit_retention_days integer,
  default_rule_at text,
  default_bell_at text
);
create table users (
  id text primary key,
  workspace_id text not null references workspaces (id),
  email text not null,
  role text not null,
  created_at text not null,
  grants text not null default '[]',
  disabled_at text,
  name text not null default '',
  password text,
  sso_issuer text,
  sso_subject text,
  last_login_at text,
  logins_ended_at text,
  constraint users_email unique (workspace_id, email)
);
create unique index users_identity on users (sso_issuer, sso_subject, workspace_id);
-- People type their addresses in any case.
create unique index users_address on users (lower(email), workspace_id);
create table api_keys (
  id text primary key,
  workspace_id text not null references workspaces (id),
  created_by text not null,
  name text not null,
  prefix text not null unique,
  salt text not null,
  hash text not null,
  scopes text not null,
  created_at text not null,
  expires_at text,
  revoked_at text,
  last_used_at text,
  networks text not null default '[]'
);
create index api_keys_workspace on api_keys (workspace_id);
create table connectors (
  id text primary key,
  workspace_id text not null references workspaces (id),
  name text not null,
  type text not null,
  options text not null,
  secrets text not null,
  state text,
  created_at text not null,
  known_as text not null default '',
  options_changed_at text,
  disabled_at text,
  removing_at text,
  cron text,
  time_zone text not null default 'UTC',
  next_run_at text,
  removal_share integer not null default 40,
  runs integer not null default 0,
  received_at text,
  unread_since text,
  aspects_at text,
  aspect_bytes integer not null default 0,
  constraint connectors_name unique (workspace_id, name)
);
create index connectors_due on connectors (next_run_at);
create table syncs (
  id text primary key,
  workspace_id text not null references workspaces (id),
  connector_id text not null references connectors (id),
  number integer not null,
  status text not null,
  mode text not null,
  queued_at text not null,
  started_at text,
  completed_at text,
  estimated_duration_seconds integer not null,
  assets_discovered integer not null default 0,
  assets_updated integer not null default 0,
  assets_removed integer not null default 0,
  errors text not null default '[]',
  errors_total integer not null default 0,
  progress double precision not null default 0,
  progress_label text not null default '',
  worker_id text,
  lease_until text,
  attempts integer not null default 0,
  cancel_requested_at text,
  confirm_removal integer not null default 0,
  run integer not null default 0,
  failed_tries integer not null default 0,
  next_try_at text,
  unkept text not null default '[]',
  constraint syncs_number unique (connector_id, number)
);
create index syncs_waiting on syncs (status, queued_at);
-- One running sync for each connector, whatever the code does.
create unique index syncs_one_run on syncs (connector_id) where status = 'running';
-- Finds when a connector last completed a sync, which every answer about lineage says.
create index syncs_completed on syncs (connector_id, completed_at) where status = 'completed';
create table service_accounts (
  id text primary key,
  workspace_id text not null references workspaces (id),
  name text not null,
  role text not null,
  client_id text not null unique,
  created_at text not null,
  disabled_at text,
  constraint service_accounts_name unique (workspace_id, name)
);
create table client_secrets (
  id text primary key,
  account_id text not null references service_accounts (id),
  salt text not null,
  hash text not null,
  created_at text not null,
  revoked_at text,
  last_used_at text,
  expires_at text
);
create index client_secrets_account on client_secrets (account_id);
create table access_tokens (
  id text primary key,
  workspace_id text not null references workspaces (id),
  account_id text not null references service_accounts (id),
  prefix text not null unique,
  salt text not null,
  hash text not null,
  scopes text not null,
  created_at text not null,
  expires_at text not null,
  revoked_at text
);
create index access_tokens_workspace on access_tokens (workspace_id, account_id);
create index access_tokens_expiry on access_tokens (expires_at);
create table audit_events (
  id text primary key,
  workspace_id text references workspaces (id),
  action text not null,
  actor text not null,
  source text not null,
  subject text not null,
  details text not null,
  at text not null
);
-- Finds the oldest and the newest events of a workspace.
create index audit_events_by_time on audit_events (workspace_id, at);
create table column_lineage (
  key text primary key,
  answer text not null,
  used_at text not null
);
create index column_lineage_unused on column_lineage (used_at);
create table inbox_subjects (
  workspace_id text not null references workspaces (id),
  connector_id text not null references connectors (id),
  subject text not null,
  version integer not null,
  applied_version integer not null default 0,
  attempts integer not null default 0,
  expires_at text,
  errors text not null default '[]',
  errors_total integer not null default 0,
  failed integer not null default 0,
  process_id text,
  lease_until text,
  constraint inbox_subjects_key primary key (connector_id, subject)
);
create index inbox_subjects_waiting on inbox_subjects (connector_id, subject) where applied_version < version;
create index inbox_subjects_expiry on inbox_subjects (expires_at);
create index inbox_subjects_errors on inbox_subjects (connector_id) where errors_total > 0;
create table inbox_messages (
  connector_id text not null references connectors (id),
  subject text not null,
  key text not null,
  body text not null,
  is_note integer not null,
  constraint inbox_messages_key primary key (connector_id, subject, key)
);
-- Finds what one subject says about others.
create index inbox_messages_notes on inbox_messages (connector_id, key) where is_note = 1;
create table sessions (
  id text primary key,
  workspace_id text not null references workspaces (id),
  user_id text not null references users (id),
  lookup text not null unique,
  salt text not null,
  hash text not null,
  source text not null,
  user_agent text not null,
  sso integer not null,
  user_ids text not null,
  created_at text not null,
  seen_at text not null,
  expires_at text not null
);
create index sessions_user on sessions (workspace_id, user_id);
create index sessions_expiry on sessions (expires_at);
create table login_links (
  id text primary key,
  workspace_id text not null references workspaces (id),
  kind text not null,
  email text,
  role text not null,
  lookup text not null unique,
  salt text not null,
  hash text not null,
  created_by text,
  created_at text not null,
  expires_at text not null
);
create index login_links_workspace on login_links (workspace_id);
-- One row about the store itself.
create table store (
  id text not null,
  secret_key_check text not null
);
create table workers (
  id text primary key,
  seen_at text not null
);
create table saved_impacts (
  workspace_id text not null references workspaces (id),
  id text not null,
  saved_at text not null,
  bytes integer not null,
  body text not null,
  constraint saved_impacts_id primary key (workspace_id, id)
);
-- Finds the surplus of a workspace without reading the bodies.
create index saved_impacts_newest on saved_impacts (workspace_id, saved_at, id, bytes);
create index saved_impacts_time on saved_impacts (saved_at, workspace_id, id);
-- The lists that each person keeps.
create table user_items (
  workspace_id text not null references workspaces (id),
  user_id text not null references users (id),
  list text not null,
  item text not null,
  label text not null,
  at text not null,
  constraint user_items_key primary key (user_id, list, item)
);
create index user_items_by_time on user_items (user_id, list, at);
-- What others say about entities, by aspect.
create table aspects (
  connector_id text not null references connectors (id),
  urn text not null,
  aspect text not null,
  part text not null,
  entity text not null,
  at integer not null,
  body text,
  unkept text not null,
  constraint aspects_key primary key (connector_id, urn, aspect, part)
);
create table notice_rules (
  id text primary key,
  workspace_id text not null references workspaces (id),
  name text not null,
  channel text not null,
  kinds text not null,
  about_by text not null,
  about text not null,
  origin text not null,
  sealed text not null,
  created_at text not null,
  created_by text not null,
  disabled_at text,
  disabled_reason text not null,
  failing_since text,
  last_number integer not null,
  due_at text,
  worker_id text,
  lease_until text,
  person_id text not null default '',
  recipient text not null default '',
  min_risk text,
  on_since text not null,
  digest_hour integer,
  constraint notice_rules_names unique (workspace_id, person_id, name)
);
-- Finds the rules that have something to send, without the others.
create index notice_rules_due on notice_rules (due_at, id) where due_at is not null;
create table notice_events (
  id text primary key,
  workspace_id text not null references workspaces (id),
  number integer not null,
  kind text not null,
  subject text not null,
  sync_id text,
  details text not null,
  at text not null
);
create index notice_events_order on notice_events (number, id);
create table notices (
  id text primary key,
  workspace_id text not null references workspaces (id),
  -- A rule is removed before its notices are swept.
  rule_id text not null,
  number integer not null,
  events text not null,
  events_total integer not null,
  sync_id text,
  status text not null,
  created_at text not null,
  first_try_at text,
  tries_total integer not null,
  tries text not null,
  ended_at text,
  recipient text,
  gathers_until text,
  -- Notices that people read in the workspace.
  person_id text,
  constraint notices_number unique (rule_id, number)
);
-- Finds the next notice of a rule.
create index notices_waiting on notices (rule_id, number) where status = 'waiting';
-- Finds those that ended long ago.
create index notices_ended on notices (ended_at) where ended_at is not null;
create index notices_of_person on notices (person_id, created_at) where person_id is not null;
create table notice_opt_outs (
  rule_id text not null,
  email text not null,
  constraint notice_opt_outs_key primary key (rule_id, email)
);
-- How far the history of changes has been told.
create table notice_cursors (
  workspace_id text primary key references workspaces (id),
  moment integer not null,
  waits text not null
);
