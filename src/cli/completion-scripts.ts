// The scripts that teach a shell to complete command lines of foreword. They ask foreword itself, so they know ids, and a newer
// foreword needs no new script. Words are compared, never evaluated: an id comes from a file that anybody may have written.

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof COMPLETION_SHELLS)[number];

/** Printed in place of words where files follow. */
export const FILES_FOLLOW = ':files';

export const COMPLETION_SCRIPTS: Readonly<Record<CompletionShell, string>> = {
  bash: `# foreword in bash. In ~/.bashrc: source <(foreword completion bash)
_foreword() {
  local line typed=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ${FILES_FOLLOW} ]]; then compopt -o default 2>/dev/null; return; fi
    line=\${line%%$'\\t'*}
    if [[ $line == "$typed"* ]]; then COMPREPLY+=("$line"); fi
  done < <(foreword completion --complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _foreword foreword`,
  zsh: `#compdef foreword
# foreword in zsh. In ~/.zshrc, after compinit: source <(foreword completion zsh)
_foreword() {
  local line
  local -a found
  for line in "\${(@f)$(foreword completion --complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ${FILES_FOLLOW} ]]; then _files; return; fi
    if [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done
  _describe -V foreword found
}
if (( $+functions[compdef] )); then compdef _foreword foreword; fi`,
  fish: `# foreword in fish. Once: foreword completion fish > ~/.config/fish/completions/foreword.fish
function __foreword_complete
  set -l typed (commandline -opc) (commandline -ct)
  for line in (foreword completion --complete -- $typed[2..-1] 2>/dev/null)
    if test "$line" = ${FILES_FOLLOW}
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c foreword -f -a '(__foreword_complete)'`,
};
