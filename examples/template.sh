# A prompt with a template of one's own.
foreword prompt cart_discount --template engineer.md | sed -n '/^Mode/,/^## Task D/p'
