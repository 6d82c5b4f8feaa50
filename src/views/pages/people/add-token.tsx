import { SCOPES, type ScopeName } from '../../../core/people/scopes.js'
import { TOKEN_LIFETIMES, type TokenLifetime } from '../../../core/people/token-lifetime.js'
import { Button } from '../../components/forms/button.js'
import { Field, Select, Tick, TickGroup } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

export interface TypedToken {
  name: string
  lifetime: TokenLifetime
  scopes: readonly ScopeName[]
}

interface Props {
  page: PageContext
  section: 'account' | 'settings'
  lead: string
  /** Where the form is sent, and where one returns to. */
  action: string
  cancel: string
  /** The scopes that can be chosen. */
  offered: readonly ScopeName[]
  typed: TypedToken
  problem: Problem | null
}

const LIFETIMES: Record<TokenLifetime, string> = {
  30: 'After 30 days',
  90: 'After 90 days',
  365: 'After a year',
  never: 'Never',
}

/** The form for a new API token of a person or a project. */
export function AddTokenPage({ page, section, lead, action, cancel, offered, typed, problem }: Props) {
  return (
    <Layout page={page} title="New API token" section={section} parent={section} measure="form">
      <PageHead title="New API token" lead={lead} />
      <PostForm page={page} action={action} class="form">
        <FormProblem problem={problem} />
        <Field
          label="Name"
          name="name"
          value={typed.name}
          maxlength={100}
          required
          autofocus
          help="The program that uses the token."
          error={errorOf(problem, 'name')}
        />
        <Select
          label="Expires"
          name="lifetime"
          value={typed.lifetime}
          options={TOKEN_LIFETIMES.map(value => ({ value, label: LIFETIMES[value] }))}
          error={errorOf(problem, 'expires')}
        />
        <TickGroup label="It may" error={errorOf(problem, 'scopes')}>
          {offered.map(scope => (
            <Tick
              name="scopes"
              value={scope}
              checked={typed.scopes.includes(scope)}
              label={SCOPES[scope].can}
              help={scope}
            />
          ))}
        </TickGroup>
        <FormEnd page={page} cancel={cancel}>
          <Button look="primary">Create token</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}
