cp "$EXAMPLES/readme/engineer.md" .
