import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { plural } from '../../../core/text/plural.js'
import { Panels } from '../tabs.js'

/** A text of an output as HTML; see output-html.ts. */
export interface FormattedText {
  label: string
  html: string
  lines: number
}

/** An output that is ready to be shown. */
export interface FormattedOutput {
  /** Of several, such as the parts of an e-mail, one is shown at a time. */
  texts: readonly FormattedText[]
  /** Its size in bytes. */
  size: number
  /** Which part of it is shown, if it is long. */
  part: 'all' | 'beginning' | 'end'
  isBinary: boolean
}

interface Props {
  output: FormattedOutput
  /** Distinguishes several outputs on a page. */
  name: string
  /** The address of the file with the whole output. */
  download: string | null
}

/** With fewer lines there is nothing to search. */
const FEW_LINES = 8

/**
 * An output: with line numbers, colours and links, wrapped or not. A script adds finding and copying. Wrapping and the choice
 * of a text work without.
 */
export function OutputViewer({ output, name, download }: Props) {
  const { texts, size, part, isBinary } = output
  const view = (text: FormattedText, index: number): Child => (
    <View text={text} id={`${name}-view-${index}`} />
  )
  return (
    <div class="viewer">
      {texts.length === 1 ? view(texts[0]!, 0) : null}
      {texts.length > 1 ? (
        <Panels
          name={name}
          label="Views of the output"
          panels={texts.map((text, index) => ({ label: text.label, content: view(text, index) }))}
        />
      ) : null}
      {download === null && !isBinary ? null : (
        <p class="viewer-foot">
          <span class="muted">
            {isBinary ? 'Binary, ' : ''}
            {PART_WORDS[part]}
            {plural(size, 'byte')}
          </span>{' '}
          {download === null ? null : (
            <a href={download} download>
              Download
            </a>
          )}
        </p>
      )}
    </div>
  )
}

const PART_WORDS = { all: '', beginning: 'the beginning of ', end: 'the end of ' }

function View({ text, id }: { text: FormattedText; id: string }) {
  return (
    <div class="view">
      <input type="checkbox" id={`${id}-wrap`} class="view-wrap sr-only" checked />
      <div class="view-tools">
        {text.lines < FEW_LINES ? null : (
          <input type="search" hidden placeholder="Find" aria-label="Find in the output" data-find={id} />
        )}
        <output class="muted" for={id} />
        <label class="view-wrap-label" for={`${id}-wrap`}>
          Wrap lines
        </label>
        <button type="button" class="button button-plain button-small" data-copy-view={id} hidden>
          Copy
        </button>
      </div>
      <pre id={id} tabindex={0}>
        <span class="view-lines">{raw(text.html)}</span>
      </pre>
    </div>
  )
}
