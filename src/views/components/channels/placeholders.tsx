import { Disclosure } from '../disclosure.js'
import { InlineCode } from '../inline-code.js'

export interface ShownPlaceholders {
  /** Where they may stand, as the beginning of a sentence. */
  where: string
  list: readonly { name: string; means: string }[]
}

/** What may be written into the fields of a form, folded away, a line each. */
export function Placeholders({ where, list }: ShownPlaceholders) {
  return (
    <Disclosure summary="Placeholders">
      <p class="muted">{where} may contain these:</p>
      <dl class="facts spaced">
        {list.map(({ name, means }) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <InlineCode text={means} />
            </dd>
          </>
        ))}
      </dl>
    </Disclosure>
  )
}
