// Each script passes the words to the program, which knows its commands and options, and what is stored. Where it has no suggestion,
// the shell completes file names. Values with an @ (e-mail addresses) are one word in bash only without it in COMP_WORDBREAKS.
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `COMP_WORDBREAKS=\${COMP_WORDBREAKS//@/}
_adbooth() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _adbooth adbooth
`,
  zsh: `#compdef adbooth
_adbooth() {
  local -a found
  local line tab=$'\\t'
  for line in "\${(@f)$("\${words[1]}" complete-words --describe -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && found+=("\${\${line%%\${tab}*}//:/\\\\:}:\${line#*\${tab}}")
  done
  if (( \${#found} )); then _describe adbooth found; else _files; fi
}
compdef _adbooth adbooth
`,
  fish: `complete -c adbooth -f -a '(begin
  set -l found (adbooth complete-words --describe -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0; string join -- \\n $found; else; __fish_complete_path (commandline -ct); end
end)'
`,
}

export const SHELLS = Object.keys(SCRIPTS)

export function shellScript(shell: string): string {
  return SCRIPTS[shell] ?? ""
}
