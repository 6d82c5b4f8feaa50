import { Disclosure } from '../disclosure.js'
import { InlineCode } from '../inline-code.js'

export interface ShownPlaceholders {
  /** The fields that can contain them, as the beginning of a sentence. */
  where: string
  list: readonly { name: string; means: string }[]
}

/** The placeholders for the fields of a form, folded away, one per line. */
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
