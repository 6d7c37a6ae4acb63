# Settings of the project's own, so that the example shows how they are changed and restored.
mkdir .claude
printf '{\n  "model": "opus"\n}\n' > .claude/settings.local.json
