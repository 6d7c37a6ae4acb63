# Runs in every new container: the home is new, the state folder is not. Takes the package beside this script: npm pack in a checkout of
# foreword makes it. Never by its name alone, which is not published yet: whoever took it would run programs here.
set -e
for package in "$(dirname "$0")"/foreword-*.tgz; do
  if [ ! -e "$package" ]; then
    echo "foreword: there is no foreword-*.tgz beside $0. Run npm pack in a checkout of foreword and copy the file there." >&2
    exit 1
  fi
  npm install --global --prefix "$HOME/.local" "$package"
  break
done
# Without an agent there is nothing to write yet, which must not stop the container.
"$HOME/.local/bin/foreword" init --yes || echo "Install an agent, then run: foreword init"
