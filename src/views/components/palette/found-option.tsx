import { link, type PageContext } from '../../page-context.js'
import type { FoundOption as Option } from '../../search-results.js'
import { StatusGlyph, statusWord } from '../checks/status-glyph.js'
import { Elapsed } from '../elapsed.js'

interface Props {
  page: Pick<PageContext, 'base' | 'now'>
  option: Option
  /** The id of an option of a listbox; missing where it is a link or a button. */
  id?: string
}

/** A result of the search. Its buttons require a surrounding form with the token. */
export function FoundOption({ page, option, id }: Props) {
  const role = id ? { id, role: 'option', tabindex: -1, 'aria-selected': 'false' as const } : {}
  const words = (
    <>
      {option.kind === 'check' ? <StatusGlyph status={option.status} running={option.running} /> : null}
      <span class="found-label">{option.label}</span> <Detail page={page} option={option} />
    </>
  )
  switch (option.kind) {
    case 'page':
      return (
        <a class="found" href={link(page, option.path)} {...role}>
          {words}
        </a>
      )
    case 'check':
      return (
        <a class="found" href={link(page, option.path)} data-check={option.uuid} {...role}>
          {words}
        </a>
      )
    case 'action':
      return (
        <button
          type="submit"
          class="found"
          formaction={link(page, option.path)}
          name={option.name}
          value={option.value}
          data-stay={option.leaves ? undefined : ''}
          {...role}
        >
          {words}
        </button>
      )
    case 'copy':
      return (
        <button type="button" class="found" data-copy={option.text} hidden {...role}>
          {words}
        </button>
      )
  }
}

function Detail({ page, option }: Props) {
  if (option.kind !== 'check') return option.detail ? <span class="found-detail">{option.detail}</span> : null
  return (
    <span class="found-detail">
      {statusWord(option.status)}
      {option.status === 'down' && option.troubleSince !== null ? (
        <>
          {' '}
          for <Elapsed page={page} since={option.troubleSince} />
        </>
      ) : null}
      {option.detail ? ` · ${option.detail}` : ''}
    </span>
  )
}
