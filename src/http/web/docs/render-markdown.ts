import { Marked, type Token, type Tokens } from 'marked'
import { slugify } from '../../../core/checks/slugify.js'
import { escapeHtml } from '../../../views/escape-html.js'

/** A part of a document, from its heading to the next. */
export interface Section {
  /** The heading's id; empty for the part before the first heading. */
  id: string
  heading: string
  text: string
}

export interface Rendered {
  title: string
  html: string
  sections: Section[]
}

/**
 * Renders one of our documents as HTML. HTML in it is shown as text. `linkTo` converts a link in the file to an
 * address, or to null if the target does not exist.
 */
export function renderMarkdown(markdown: string, linkTo: (href: string) => string | null): Rendered {
  const sections: Section[] = [{ id: '', heading: '', text: '' }]
  const used = new Set<string>()
  const ids: string[] = []
  let title = ''
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>`
        const id = ids.shift()
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>`
      },
      link({ href, tokens }: Tokens.Link) {
        const [inner, address] = [this.parser.parseInline(tokens), linkTo(href)]
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      code({ text }: Tokens.Code) {
        const code = escapeHtml(text)
        return `<div class="copy-block"><pre tabindex="0"><code>${code}</code></pre>${copyButton(code)}</div>`
      },
      // Long names of settings and fields may break after an underscore, so that they fit a narrow column.
      codespan: ({ text }: Tokens.Codespan) =>
        `<code>${escapeHtml(text).replace(/_(?=\w)/g, '_<wbr>')}</code>`,
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map(row => cells(row, 'td')).join('')
        return `<div class="table-scroll" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
    // Called for every token before anything is rendered.
    walkTokens(token) {
      if (token.type === 'heading' && token.depth === 1) title = plain(token.text)
      else if (token.type === 'heading') {
        const id = unused(slugify(plain(token.text)) || 'section', used)
        ids.push(id)
        sections.push({ id, heading: plain(token.text), text: '' })
      } else {
        sections.at(-1)!.text += wordsOf(token)
      }
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { title, html, sections }
}

/** The words of a token without child tokens. */
function wordsOf(token: Token): string {
  const isLeaf = token.type === 'text' || token.type === 'codespan' || token.type === 'code'
  return isLeaf && !('tokens' in token && token.tokens) ? ` ${token.text}` : ''
}

/** As in views/components/copy.tsx; shown only if a script can copy. */
function copyButton(escaped: string): string {
  const look = 'button button-plain button-small copy'
  return `<button type="button" class="${look}" data-copy="${escaped}" hidden>Copy</button>`
}

/** Removes Markdown's marks from a heading. */
function plain(text: string): string {
  return text.replace(/[`*_]/g, '')
}

function unused(id: string, used: Set<string>): string {
  let free = id
  for (let n = 2; used.has(free); n++) free = `${id}-${n}`
  used.add(free)
  return free
}
