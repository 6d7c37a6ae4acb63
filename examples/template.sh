# A prompt with your own template.
foreword prompt cart_discount --template engineer.md | sed -n '/^Mode/,/^## Task D/p'
