/** The description of a check's field: one row of the table in check-fields.ts. */

/** Text. Lengths count code points, as databases do. */
export interface TextType {
  is: 'text'
  maxLength?: number
  /** What the text has to be: see text-formats.ts. */
  format?: 'slug' | 'schedule' | 'zone' | 'causes' | 'exit-codes'
  /** Words separated by spaces. */
  words?: true
}

export interface FlagType {
  is: 'flag'
}

/** A length of time in whole seconds; null if it is `optional` and left empty. */
export interface SecondsType<Optional extends boolean = boolean> {
  is: 'seconds'
  min: number
  max: number
  optional: Optional
}

/** A whole number; null if it is `optional` and left empty. */
export interface NumberType<Optional extends boolean = boolean> {
  is: 'number'
  min: number
  max: number
  optional: Optional
}

export interface ChoiceType<Word extends string = string> {
  is: 'choice'
  words: readonly Word[]
}

export type FieldType = TextType | FlagType | SecondsType | NumberType | ChoiceType

/** The value that a field of type `T` has in a check. */
export type ValueOf<T> = T extends FlagType
  ? boolean
  : T extends ChoiceType<infer Word>
    ? Word
    : T extends SecondsType<infer Optional> | NumberType<infer Optional>
      ? true extends Optional
        ? number | null
        : number
      : string

/** How the form of a check shows a field. Adjacent fields may share a row or a group. */
export interface FieldForm {
  /** The part of the form: names, timing, runs and tolerance, what counts as a ping, or dependencies. */
  part: 'names' | 'timing' | 'runs' | 'rules' | 'dependencies'
  label: string
  /** The name of its input; the column if absent. */
  name?: string
  /** One sentence, without a full stop. */
  help?: string
  /** Text that follows `help` if the check is new. */
  helpWhenNew?: string
  /** Fields with the same value are side by side. */
  row?: string
  /** Fields with the same value are under it as a heading. */
  group?: string
  /** For a choice, or a text that is a list of words: the label of each word, in the order shown. */
  options?: Readonly<Record<string, { label: string; help?: string }>>
  /** For a text: the number of visible lines. */
  lines?: number
  mono?: true
  /** For a text: the id of the list of suggestions for its last word. */
  suggestions?: string
  /** The browser limits the text to its maximum length. */
  stopsAtMax?: true
  /** An empty input means the default. */
  emptyIsDefault?: true
  /** Only for checks with a cron expression or OnCalendar lines. */
  onlyScheduled?: true
  /** The value in the form of a new check, if it is not the default. */
  proposed?: number
}

export interface CheckField {
  /** The row that stores it: `state` is read and written with every ping, `details` is not. */
  row: 'state' | 'details'
  column: string
  type: FieldType
  default: string | number | boolean | null
  /** What it affects: when a success is due (`schedule`), or also what the status is afterwards (`limit`). */
  timing?: 'schedule' | 'limit'
  /** Its name in the management API, versions 1 to 3. Absent: it is not part of them. */
  api?: string
  /** Its name in Punctual's own API, if that is neither `api` nor the column. Null: it cannot be set there. */
  native?: string | null
  /** One or two sentences for the documentation of the API. */
  about?: string
  /** Its name on pages, if the form has none. */
  label?: string
  /** Absent: it has its own widget, or people do not set it. */
  form?: FieldForm
}

export function text<const Limits extends Omit<TextType, 'is'>>(limits: Limits): TextType & Limits {
  return { is: 'text', ...limits }
}

export const flag: FlagType = { is: 'flag' }

/** From `min` to `max` seconds. */
export function seconds(min: number, max: number): SecondsType<false> {
  return { is: 'seconds', min, max, optional: false }
}

/** From `min` to `max` seconds, or null. */
export function optionalSeconds(min: number, max: number): SecondsType<true> {
  return { is: 'seconds', min, max, optional: true }
}

/** A whole number from `min` to `max`. */
export function number(min: number, max: number): NumberType<false> {
  return { is: 'number', min, max, optional: false }
}

/** A whole number from `min` to `max`, or null. */
export function optionalNumber(min: number, max: number): NumberType<true> {
  return { is: 'number', min, max, optional: true }
}

export function choice<const Word extends string>(...words: Word[]): ChoiceType<Word> {
  return { is: 'choice', words }
}
