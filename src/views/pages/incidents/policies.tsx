import type { Policy } from '../../../core/incidents/policy.js'
import type { PolicyNames } from '../../../core/incidents/policy-words.js'
import { plural } from '../../../core/text/plural.js'
import { EmptyState } from '../../components/empty-state.js'
import { ButtonLink } from '../../components/forms/button.js'
import { IntegrationTabs } from '../../components/incidents/integration-tabs.js'
import { PolicyPicture } from '../../components/incidents/policy-picture.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  projectUuid: string
  policies: readonly (Policy & {
    isDefault: boolean
    /** How many checks it applies to. */
    uses: number
  })[]
  names: PolicyNames
}

/** The policies of a project: who is alerted of an incident, and when. */
export function PoliciesPage(props: Props) {
  const { page, projectUuid, policies } = props
  return (
    <Layout page={page} title="Policies" section="integrations">
      <PageHead
        title="Policies"
        lead="Who is alerted about an incident, and when. A check without a policy alerts its own integrations immediately and once."
      >
        {mayWrite(page) ? (
          <ButtonLink look="primary" href={link(page, `/projects/${projectUuid}/policies/add/`)}>
            New policy
          </ButtonLink>
        ) : null}
      </PageHead>
      <IntegrationTabs page={page} projectUuid={projectUuid} current="policies" />
      {policies.length === 0 ? (
        <EmptyState title="No policies yet">
          <p>A policy alerts more people when an incident stays unacknowledged, and repeats alerts.</p>
        </EmptyState>
      ) : null}
      {policies.map(policy => (
        <PolicySection {...props} policy={policy} />
      ))}
    </Layout>
  )
}

function PolicySection({ page, projectUuid, names, policy }: Props & { policy: Props['policies'][number] }) {
  const at = `/projects/${projectUuid}/policies/${policy.id}`
  const called = <span class="sr-only"> {policy.name}</span>
  return (
    <section class="policy" id={`policy-${policy.id}`}>
      <header>
        <h2>
          {policy.name} {policy.isDefault ? <span class="policy-default">Default</span> : null}
        </h2>
        {mayWrite(page) ? (
          <span class="actions">
            <ButtonLink small look="quiet" href={link(page, `${at}/edit/`)}>
              Edit{called}
            </ButtonLink>
            <ButtonLink small href={link(page, `${at}/remove/`)}>
              Delete{called}
            </ButtonLink>
          </span>
        ) : null}
      </header>
      <p class="muted small">{usesWords(policy)}</p>
      <PolicyPicture policy={policy} names={names} />
    </section>
  )
}

function usesWords({ isDefault, uses }: { isDefault: boolean; uses: number }): string {
  const checks = uses === 0 ? 'No check uses it.' : `Used by ${plural(uses, 'check')}.`
  return isDefault ? `${checks} It applies to checks without a policy of their own.` : checks
}
