# Runs in every new container: the home is new, the state folder is not. A package beside this script (npm pack in a checkout of
# foreword) is taken before the published one.
set -e
for package in "$(dirname "$0")"/foreword-*.tgz; do
  [ -e "$package" ] || package=foreword
  npm install --global --prefix "$HOME/.local" "$package"
  break
done
# Without an agent there is nothing to write yet, which must not stop the container.
"$HOME/.local/bin/foreword" init --yes || echo "Install an agent, then run: foreword init"
