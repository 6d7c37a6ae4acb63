# An agent with settings of its own gets hooks; then they are taken out again.
mkdir -p ~/.claude && printf '{\n  "model": "opus"\n}\n' > ~/.claude/settings.json
foreword init --agents claude --dry-run | head -20
foreword init --agents claude --yes > /dev/null
mkdir .context && echo "# Constitution\n\nNever touch the ledger." > .context/CONSTITUTION.md
echo '{"session_id":"demo","hook_event_name":"PreToolUse","cwd":"."}' | foreword hook pre-tool --agent claude
foreword uninstall --agents claude --yes > /dev/null
cat ~/.claude/settings.json
