import { plural } from '../../../core/text/plural.js'
import { link, type PageContext } from '../../page-context.js'
import type { FoundOutput, FoundOutputs } from '../../search-results.js'
import { StatusGlyph } from '../checks/status-glyph.js'
import { ExcerptLine } from '../pings/excerpt-line.js'
import { Time } from '../time.js'

interface Props {
  page: PageContext
  found: FoundOutputs
}

/** The last outputs that have what was typed, and where it was looked for. */
export function OutputsFound({ page, found }: Props) {
  const { text, outputs } = found
  return (
    <section class="found-outputs" id="outputs">
      <h2>In outputs</h2>
      <ul>
        {outputs.map(output => (
          <li>
            <Output page={page} text={text} output={output} />
          </li>
        ))}
      </ul>
      <Searched found={found} />
    </section>
  )
}

function Output({ page, text, output }: { page: PageContext; text: string; output: FoundOutput }) {
  const { check, project, n, at, excerpt } = output
  const log = `/checks/${check.uuid}/log/?${new URLSearchParams({ text })}`
  return (
    <>
      <p class="found-output-head">
        <StatusGlyph status={check.status} running={check.running} />
        <a class="found-label" href={link(page, `/checks/${check.uuid}/details/`)}>
          {check.name}
        </a>
        <span class="muted small">
          {project ? `${project}, ` : ''}
          <Time page={page} at={at} />
        </span>
        <a class="found-actions" href={link(page, log)} aria-label={`All in its log: ${check.name}`}>
          All in its log
        </a>
      </p>
      <a class="found-output" href={link(page, `/checks/${check.uuid}/pings/${n}/#L${excerpt.line}`)}>
        <ExcerptLine excerpt={excerpt} />
      </a>
    </>
  )
}

/** What was searched. */
function Searched({ found: { text, outputs, looked, checks, unread } }: Pick<Props, 'found'>) {
  if (checks === 0) return <p class="muted">No check was pinged yet.</p>
  const isAll = looked >= checks
  return (
    <p class="muted">
      {outputs.length === 0 ? `No output has “${text}”. ` : ''}
      Searched the last output of {isAll ? plural(checks, 'check') : `${looked} of ${checks} checks`}
      {isAll
        ? '.'
        : ', first of those that are down or late, then of those that were pinged last. Narrow it with @project or #tag.'}
      {unread > 0 ? ` ${plural(unread, 'output')} in object storage could not be read.` : ''} The log of a
      check searches its older outputs.
    </p>
  )
}
