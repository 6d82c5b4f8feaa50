/** Select Graphic Rendition: colours and weights, as the names of classes. Source: ECMA-48, section 8.3.117. */

/** The colours that the pages have; each is readable in light and dark. Black and white are the colour of text. */
export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'grey' | ''

export interface Style {
  readonly colour: Colour
  readonly background: Colour
  readonly marks: readonly Mark[]
}

const MARKS = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'strike' } as const
type Mark = (typeof MARKS)[keyof typeof MARKS]

/** What each code above 20 ends. */
const ENDS: Record<number, readonly Mark[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
}

export const plain: Style = { colour: '', background: '', marks: [] }

/** Of the codes 30 to 37, and 90 to 97. */
const NORMAL: readonly Colour[] = ['', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', '']
const BRIGHT: readonly Colour[] = ['grey', ...NORMAL.slice(1)]

/** The class names of a style: `o-red o-bold`. Text on a background has the colour of text, so that it stays readable. */
export function styleNames({ colour, background, marks }: Style): string {
  if (colour === '' && background === '' && marks.length === 0) return ''
  const names = [colour, ...marks].filter(name => name !== '').map(name => `o-${name}`)
  if (background !== '') names.push(`o-on-${background}`)
  return names.join(' ')
}

/** The style after `CSI parameters m`. */
export function styleAfter(before: Style, parameters: string): Style {
  let style = before
  const codes = parameters.split(';')
  for (let at = 0; at < codes.length; at++) {
    const [code = 0, ...parts] = codes[at]!.split(':').map(Number)
    if (code === 38 || code === 48) {
      const given = parts.length > 0 ? parts : codes.slice(at + 1, at + 5).map(Number)
      const colour = extended(given, parts.length > 0)
      if (parts.length === 0) at += given[0] === 5 ? 2 : given[0] === 2 ? 4 : 0
      style = code === 38 ? { ...style, colour } : { ...style, background: colour }
    } else style = afterCode(style, code)
  }
  return style
}

function afterCode(style: Style, code: number): Style {
  const ended = ENDS[code]
  if (code === 0) return plain
  if (code in MARKS) return withMark(style, MARKS[code as keyof typeof MARKS])
  if (ended) return { ...style, marks: style.marks.filter(mark => !ended.includes(mark)) }
  if (code >= 30 && code <= 37) return { ...style, colour: NORMAL[code - 30]! }
  if (code >= 90 && code <= 97) return { ...style, colour: BRIGHT[code - 90]! }
  if (code >= 40 && code <= 47) return { ...style, background: NORMAL[code - 40]! }
  if (code >= 100 && code <= 107) return { ...style, background: BRIGHT[code - 100]! }
  if (code === 39) return { ...style, colour: '' }
  return code === 49 ? { ...style, background: '' } : style
}

function withMark(style: Style, mark: Mark): Style {
  return style.marks.includes(mark) ? style : { ...style, marks: [...style.marks, mark] }
}

/** `5, n` is a colour of the palette, `2, r, g, b` one of 16 million; between colons a colour space may come first. */
function extended([kind, ...values]: readonly number[], withColons: boolean): Colour {
  if (kind === 5) return ofPalette(values[0] ?? 0)
  if (kind !== 2) return ''
  const [red = 0, green = 0, blue = 0] = withColons ? values.slice(-3) : values
  return nearest(red, green, blue)
}

/** Of the 256 colours: the 16 of the terminal, a cube of 6 × 6 × 6, and greys. */
function ofPalette(number: number): Colour {
  if (number < 8) return NORMAL[number] ?? ''
  if (number < 16) return BRIGHT[number - 8]!
  if (number >= 232) return number > 236 && number < 248 ? 'grey' : ''
  const index = number - 16
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  return nearest(level(Math.floor(index / 36)), level(Math.floor(index / 6) % 6), level(index % 6))
}

/** Below this difference of its strongest and weakest part a colour looks grey. */
const LEAST_COLOUR = 40

/** The colour of the same hue. */
function nearest(red: number, green: number, blue: number): Colour {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const spread = most - least
  if (!(spread >= LEAST_COLOUR)) return most > 80 && most < 190 ? 'grey' : ''
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread
  const hue = (sixth * 60 + 360) % 360
  return HUES.find(([until]) => hue < until)?.[1] ?? 'red'
}

const HUES: readonly (readonly [until: number, Colour])[] = [
  [22, 'red'],
  [72, 'yellow'],
  [162, 'green'],
  [200, 'cyan'],
  [262, 'blue'],
  [335, 'magenta'],
]
