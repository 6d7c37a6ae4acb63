# The work of a run is on a branch: look at it, and take it over with your own git.
foreword diff api_health | head -10
foreword merge 2>&1
git log --format='%s (%an)'
