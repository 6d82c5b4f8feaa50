import { link, type PageContext } from '../../page-context.js'
import { Time } from '../time.js'
import { type FormattedOutput, OutputViewer } from './output-viewer.js'

/** The end of the body of ping `n`. */
export interface ShownOutput extends FormattedOutput {
  n: number
  at: number
}

interface Props {
  page: PageContext
  checkUuid: string
  output: ShownOutput
  /** Since when there may be newer output: “before it went down”. */
  until?: string
}

/** The last output of a check, with a link to its ping. */
export function LastOutput({ page, checkUuid, output, until }: Props) {
  return (
    <figure class="output">
      <figcaption>
        {output.part === 'end' ? 'End of the last output' : 'Last output'}
        {until === undefined ? '' : ` ${until}`}, <Time page={page} at={output.at} />,{' '}
        <a href={link(page, `/checks/${checkUuid}/pings/${output.n}/`)}>ping #{output.n}</a>
      </figcaption>
      <OutputViewer output={output} name="output" download={null} />
    </figure>
  )
}
