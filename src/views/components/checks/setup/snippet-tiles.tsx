import type { Timing } from '../../../../core/checks/check.js'
import { codeSnippets } from '../../../snippets/code.js'
import { runnerSnippets } from '../../../snippets/runners.js'
import { CopyBlock } from '../../copy.js'
import { Panels } from '../../tabs.js'

interface Props {
  /** The ping address. */
  url: string
  /** The address of the script that runs commands. */
  script: string
  timing: Timing
  /** Of the button that copies. */
  look?: 'primary' | 'plain'
}

/** What can run a job, as tiles, each with the finished lines that ping the check from there. */
export function SnippetTiles({ url, script, timing, look = 'plain' }: Props) {
  const panels = (snippets: ReturnType<typeof codeSnippets>) =>
    snippets.map(({ label, text }) => ({ label, content: <CopyBlock text={text} look={look} /> }))
  const code = <Panels name="code" label="Programming language" panels={panels(codeSnippets(url))} />
  return (
    <Panels
      name="runner"
      label="What runs the job?"
      look="tiles"
      panels={[...panels(runnerSnippets({ url, script }, timing)), { label: 'Code', content: code }]}
    />
  )
}
