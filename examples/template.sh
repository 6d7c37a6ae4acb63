# A prompt with a template of one's own.
cat > engineer.md <<'END'
{context_header}

{mode_hint}
You may touch: {targets}.

Next, when this is done:
{next_work_md}
END
foreword prompt cart_discount --template engineer.md | sed -n '/^Mode/,/^## Task D/p'
