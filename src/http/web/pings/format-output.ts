import { hexDump, isBinary } from '../../../core/text/output/hex-dump.js'
import { prettyJson } from '../../../core/text/output/pretty-json.js'
import { inTurns } from '../../../lib/in-turns.js'
import { lineCount, type OutputOptions, outputHtml } from '../../../views/components/pings/output-html.js'
import type { FormattedOutput, FormattedText } from '../../../views/components/pings/output-viewer.js'

/** How long formatting may hold up the event loop (ms); a single line takes less than 2 ms more. */
const TURN_MS = 2

/** How much of a binary output is shown, in bytes. */
const HEX_BYTES = 1_024

/** A text to be shown. */
export interface PlainText {
  label: string
  text: string
}

/**
 * Formats texts for the viewer. JSON gets a view of its own before the others. The lines of the first text are `#L1`, `#L2`, …,
 * those of the second `#L2-1`, …
 */
export async function formatTexts(
  texts: readonly PlainText[],
  { ids = 'L', page = '' }: Partial<OutputOptions> = {},
): Promise<FormattedText[]> {
  const pretty = texts.length === 1 ? prettyJson(texts[0]!.text) : null
  const views =
    pretty === null
      ? texts
      : [
          { label: 'JSON', text: pretty },
          { ...texts[0]!, label: 'Raw' },
        ]
  const formatted: FormattedText[] = []
  for (const [index, { label, text }] of views.entries()) {
    const own = ids === null || index === 0 ? ids : `${ids}${index + 1}-`
    const html = await inTurns(joined(outputHtml(text, { ids: own, page })), TURN_MS)
    formatted.push({ label, html, lines: lineCount(text) })
  }
  return formatted
}

/** The body of a ping that is not an e-mail: text, or the beginning of binary data in hexadecimal digits. */
export async function formatBody(
  body: Uint8Array,
  { size, part, ...options }: Pick<FormattedOutput, 'size' | 'part'> & Partial<OutputOptions>,
): Promise<FormattedOutput> {
  if (isBinary(body)) {
    const dump = hexDump(body.subarray(0, HEX_BYTES), part === 'end' ? size - body.length : 0)
    const cut = body.length > HEX_BYTES ? 'beginning' : part
    const texts = await formatTexts([{ label: 'Hexadecimal', text: dump }], { ids: null })
    return { texts, size, part: cut, isBinary: true }
  }
  const text = new TextDecoder().decode(body)
  return { texts: await formatTexts([{ label: 'Output', text }], options), size, part, isBinary: false }
}

function* joined(parts: Iterable<string>): Generator<void, string> {
  let html = ''
  for (const part of parts) {
    html += part
    yield
  }
  return html
}
