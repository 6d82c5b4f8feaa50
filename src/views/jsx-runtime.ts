/**
 * Builds HTML from JSX, in place of the runtime of Hono, which has the types: the bundles of the program and of the tests name this
 * file for it. It writes the same text in a third of the time, because it makes no tree: an element is text as soon as it is
 * evaluated, the inner ones first. So there are no contexts and no asynchronous components. Decision 0142.
 */

type Props = Readonly<Record<string, unknown>>
type Component = (props: Props) => unknown

/** Text that is HTML. Only this module and Hono's `raw` make some, so what jobs and people send is never taken for it. */
class Html {
  readonly isEscaped = true

  constructor(readonly html: string) {}

  toString(): string {
    return this.html
  }
}

/** An element, with its children in `props`. Throws a `TypeError` if a function is given where text belongs. */
export function jsx(tag: string | Component, props: Props): Html {
  if (typeof tag === 'function') {
    const result = tag(props)
    return result instanceof Html ? result : new Html(contentOf(result))
  }
  let start = `<${tag}`
  for (const name in props) {
    if (name !== 'children') start += attributeOf(name, props[name])
  }
  const content = contentOf(props.children)
  return new Html(content === '' && EMPTY.has(tag) ? `${start}/>` : `${start}>${content}</${tag}>`)
}

export { jsx as jsxs }

/** Children without an element around them. */
export function Fragment({ children }: Props): Html {
  return new Html(contentOf(children))
}

/** Elements without an end. */
const EMPTY = new Set(
  'area base br col embed hr img input keygen link meta param source track wbr'.split(' '),
)

/** Attributes that are present or absent; others have the text `true` or `false`. */
const BOOLEAN = new Set(
  `allowfullscreen async autofocus autoplay checked controls default defer disabled download formnovalidate hidden inert ismap itemscope
   loop multiple muted nomodule novalidate open playsinline readonly required reversed selected`.split(/\s+/),
)

function contentOf(child: unknown): string {
  if (typeof child === 'string') return escaped(child)
  if (child instanceof Html) return child.html
  if (Array.isArray(child)) {
    let content = ''
    for (const one of child) content += contentOf(one)
    return content
  }
  if (typeof child === 'number') return String(child)
  if (isRaw(child)) return String(child)
  if (typeof child === 'function' || child instanceof Promise)
    throw new TypeError('a child must be text or HTML')
  return ''
}

function attributeOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return `${startOf(name)}${escaped(value)}"`
  if (typeof value === 'boolean' && BOOLEAN.has(name)) return value ? `${startOf(name)}"` : ''
  if (typeof value === 'function') throw new TypeError(`the attribute ${name} must be text`)
  return `${startOf(name)}${isRaw(value) ? String(value) : escaped(String(value))}"`
}

/** The beginnings of attributes by their names, which are few. */
const starts = new Map<string, string>()

function startOf(name: string): string {
  const known = starts.get(name)
  if (known !== undefined) return known
  if (!/^[\w:.-]+$/.test(name)) throw new TypeError(`${name} is not the name of an attribute`)
  const start = ` ${name}="`
  starts.set(name, start)
  return start
}

/** Whether Hono's `raw` made it. */
function isRaw(value: unknown): boolean {
  return value instanceof String && (value as { isEscaped?: unknown }).isEscaped === true
}

const SPECIAL = /[&<>'"]/
const SPECIALS = /[&<>'"]/g
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, one => ENTITIES[one]!) : text
}
