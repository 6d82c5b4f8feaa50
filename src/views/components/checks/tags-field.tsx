import { Field } from '../forms/field.js'
import { Suggestions } from '../forms/suggestions.js'

interface Props {
  value: string
  error: string | undefined
  placeholder?: string
  help: string
  /** The tags that are suggested. */
  known: readonly string[]
  /** Distinguishes lists of suggestions on one page. */
  list: string
}

/** A field for tags that completes those that checks already have. */
export function TagsField({ known, list, ...field }: Props) {
  return (
    <>
      <Field label="Tags" name="tags" {...field} maxlength={500} autocomplete="off" list={list} words />
      <Suggestions id={list} values={known} />
    </>
  )
}
