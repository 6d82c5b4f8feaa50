/** What there is to say of a field of a check: one row of the table in check-fields.ts. */

/** Text. Lengths count code points, as databases do. */
export interface TextType {
  is: 'text'
  maxLength?: number
  /** What it has to be besides: see text-formats.ts. */
  format?: 'slug' | 'schedule' | 'zone' | 'causes' | 'exit-codes'
  /** Words separated by spaces. */
  words?: true
}

export interface FlagType {
  is: 'flag'
}

/** A length of time in whole seconds; null where it is `optional` and left empty. */
export interface SecondsType<Optional extends boolean = boolean> {
  is: 'seconds'
  min: number
  max: number
  optional: Optional
}

/** A whole number; null where it is `optional` and left empty. */
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

/** How people set a field in the form of a check. Fields that follow each other may share a row or a group. */
export interface FieldForm {
  /** The part of the form: what the check is called, when it runs, its runs and tolerance, what counts as a ping. */
  part: 'names' | 'timing' | 'runs' | 'rules'
  label: string
  /** The name of its input; the column's when absent. */
  name?: string
  /** One sentence, without a full stop. */
  help?: string
  /** What `help` adds where the check is new. */
  helpWhenNew?: string
  /** Fields with the same text stand side by side. */
  row?: string
  /** Fields with the same text stand under it as a heading. */
  group?: string
  /** Of a choice, or a text that is a list of words: what each word means, in the order shown. */
  options?: Readonly<Record<string, { label: string; help?: string }>>
  /** Of a text: how many lines it has in sight. */
  lines?: number
  mono?: true
  /** The browser takes no more than the longest text. */
  stopsAtMax?: true
  /** Left empty it is its default. */
  emptyIsDefault?: true
  /** Only for checks with a cron expression or OnCalendar lines. */
  onlyScheduled?: true
  /** What the form of a new check has, where that is not the default. */
  proposed?: number
}

export interface CheckField {
  /** The row that holds it: `state` is read and written with every ping, `details` is not. */
  row: 'state' | 'details'
  column: string
  type: FieldType
  default: string | number | boolean | null
  /** What it decides: when a success is due (`schedule`), or also, since then, what the status is (`limit`). */
  timing?: 'schedule' | 'limit'
  /** Its name in the management API, versions 1 to 3. Absent: that does not have it. */
  api?: string
  /** Its name in Punctual's own API, where that is neither `api` nor else the column. Null: it is not set there. */
  native?: string | null
  /** One sentence or two for the documentation of the API. */
  about?: string
  /** Its name on pages, where the form has none. */
  label?: string
  /** Absent: set by a widget of its own, or not by people. */
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
