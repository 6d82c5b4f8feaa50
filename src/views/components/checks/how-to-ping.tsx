import type { CheckPageProps } from '../../check-page.js'
import { link } from '../../page-context.js'
import { CopyLine } from '../copy.js'
import { Button } from '../forms/button.js'
import { PostForm } from '../forms/post-form.js'
import { SnippetTiles } from './setup/snippet-tiles.js'

type Props = Pick<CheckPageProps, 'page' | 'check' | 'addresses' | 'snippets' | 'isSetupClosed'>

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
        <ReopenSetup {...props} />
      </section>
    )
  }
  return (
    <section class="section how-to-ping" id="how-to-ping">
      <h2>How to ping {isFresh ? null : <a href={here}>Close</a>}</h2>
      <SnippetTiles url={addresses.uuid} script={addresses.script} timing={check} />
      <PingAddresses {...props} />
      <ReopenSetup {...props} />
    </section>
  )
}

/** Shows the steps of a new check again. */
function ReopenSetup({ page, check, isSetupClosed }: Props) {
  if (!isSetupClosed) return null
  return (
    <PostForm page={page} action={`/checks/${check.uuid}/setup/`}>
      <Button stay small look="quiet" name="shown" value="yes">
        Show the steps again
      </Button>
    </PostForm>
  )
}

/** Every address of a check, and what can be added to them. */
export function PingAddresses({ addresses }: Pick<Props, 'addresses'>) {
  return (
    <>
      <p class="help">
        Or call this URL when the job finishes. Add <code>/start</code> when it begins, <code>/fail</code>{' '}
        when it failed, or <code>/2</code> for an exit status.
      </p>
      <CopyLine text={addresses.uuid} />
      {addresses.slug || addresses.email ? (
        <dl class="facts addresses">
          {addresses.slug ? (
            <>
              <dt>Readable URL</dt>
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
    </>
  )
}
