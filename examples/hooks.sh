# Install the hooks of an agent that has settings already; then remove them.
foreword init --agents claude --scope project --dry-run | head -20
foreword init --agents claude --scope project --yes > /dev/null
mkdir .context && printf '# Constitution\n\nNever touch the ledger.\n' > .context/CONSTITUTION.md
echo '{"session_id":"demo","hook_event_name":"PreToolUse","cwd":"."}' | foreword hook pre-tool --agent claude
foreword uninstall --agents claude --scope project --yes > /dev/null
cat .claude/settings.local.json
