import type { CheckPageProps } from '../../check-page.js'
import { link } from '../../page-context.js'
import { snippets } from '../../snippets.js'
import { CopyBlock, CopyLine } from '../copy.js'
import { Panels } from '../tabs.js'

type Props = Pick<CheckPageProps, 'page' | 'check' | 'addresses' | 'snippets'>

/**
 * The addresses of a check, and code that pings them from jobs in any language; only the main address once it was pinged,
 * until the reader asks for all.
 */
export function HowToPing(props: Props) {
  const { page, check, addresses, snippets: shown } = props
  const here = link(page, `/checks/${check.uuid}/details/`)
  const isFresh = check.nPings === 0
  if (!isFresh && !shown) {
    return (
      <section class="section how-to-ping" id="how-to-ping">
        <h2>
          How to ping <a href={`${here}?snippets=all#how-to-ping`}>Snippets</a>
        </h2>
        <CopyLine text={addresses.uuid} />
      </section>
    )
  }
  return (
    <section class="section how-to-ping" id="how-to-ping">
      <h2>How to ping {isFresh ? null : <a href={here}>Close</a>}</h2>
      <CopyLine text={addresses.uuid} />
      <p class="help">
        Request this address when the job has finished. Add <code>/start</code> when it begins,{' '}
        <code>/fail</code> when it failed, or <code>/2</code> for an exit status.
      </p>
      <Panels
        name="snippets"
        label="How to ping in different languages"
        panels={snippets(addresses.uuid, check).map(({ label, text }) => ({
          label,
          content: <CopyBlock text={text} />,
        }))}
      />
      {addresses.slug || addresses.email ? (
        <dl class="facts addresses">
          {addresses.slug ? (
            <>
              <dt>By slug</dt>
              <dd>
                <CopyLine text={addresses.slug} />
                {addresses.sameSlug > 1 ? (
                  <span class="help">
                    {addresses.sameSlug} checks have this slug, so a ping to it is refused. Give each its own.
                  </span>
                ) : null}
              </dd>
            </>
          ) : null}
          {addresses.email ? (
            <>
              <dt>By e-mail</dt>
              <dd>
                <CopyLine text={addresses.email} />
              </dd>
            </>
          ) : null}
        </dl>
      ) : null}
    </section>
  )
}
