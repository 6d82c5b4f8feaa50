import { link, type PageContext } from '../../page-context.js'
import { Time } from '../time.js'

/** The end of the body of a ping. */
export interface ShownOutput {
  n: number
  at: number
  text: string
  shortened: boolean
}

/** The last output of a check, with a link to its ping. */
export function LastOutput({
  page,
  checkUuid,
  output,
}: {
  page: PageContext
  checkUuid: string
  output: ShownOutput
}) {
  return (
    <figure class="output">
      <figcaption>
        {output.shortened ? 'The end of its last output' : 'Its last output'},{' '}
        <Time page={page} at={output.at} />,{' '}
        <a href={link(page, `/checks/${checkUuid}/pings/${output.n}/`)}>ping #{output.n}</a>
      </figcaption>
      <pre tabindex={0}>{output.text}</pre>
    </figure>
  )
}
