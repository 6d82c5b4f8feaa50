import { link, type PageContext } from '../../page-context.js'
import { Time } from '../time.js'
import { OutputViewer, type ShownOutput } from './output-viewer.js'

export interface LastOutputProps {
  page: PageContext
  checkUuid: string
  /** The end of the body of ping `n`. */
  output: ShownOutput & { n: number; at: number }
}

/** The last output of a check, with a link to its ping. */
export function LastOutput({ page, checkUuid, output }: LastOutputProps) {
  return (
    <figure class="output">
      <figcaption>
        {output.part === 'end' ? 'The end of its last output' : 'Its last output'},{' '}
        <Time page={page} at={output.at} />,{' '}
        <a href={link(page, `/checks/${checkUuid}/pings/${output.n}/`)}>ping #{output.n}</a>
      </figcaption>
      <OutputViewer output={output} name="output" download={null} />
    </figure>
  )
}
