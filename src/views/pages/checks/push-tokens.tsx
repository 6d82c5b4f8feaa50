import { MOST_PUSH_TOKENS } from '../../../core/checks/push-token.js'
import { PROTOCOLS } from '../../../core/projects/protocols.js'
import { CopyLine } from '../../components/copy.js'
import { Button } from '../../components/forms/button.js'
import { TextArea } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  check: { uuid: string; label: string }
  project: { uuid: string }
  siteRoot: string
  /** The push tokens of the check. */
  tokens: readonly string[]
  /** What the reader typed, one token a line. */
  typed: string
  /** Whether the project accepts pushes. */
  accepts: boolean
  problem: Problem | null
}

/** The push tokens of a check, and the addresses that they make. */
export function PushTokensPage({ page, check, project, siteRoot, tokens, typed, accepts, problem }: Props) {
  const { label, guide } = PROTOCOLS['uptime-kuma']
  const home = `/checks/${check.uuid}/details/`
  return (
    <Layout
      title={`Push tokens of ${check.label}`}
      page={page}
      section="checks"
      parent={{ path: home, label: check.label }}
      measure="read"
    >
      <PageHead
        title="Push tokens"
        lead={
          <>
            {`With the tokens that its job has at ${label}, only the host in the job’s address changes. `}
            <a href={link(page, `/docs/${guide}/`)}>{`Coming from ${label}`}</a>
          </>
        }
      />
      <PostForm page={page} action={`/checks/${check.uuid}/push-tokens/`} class="form">
        {accepts ? null : (
          <p class="notice">
            {'These addresses are refused until '}
            <a href={link(page, `/projects/${project.uuid}/settings/#protocols`)}>the project’s settings</a>
            {` accept ${label} under Other monitors.`}
          </p>
        )}
        <FormProblem problem={problem} />
        <TextArea
          label="Push tokens"
          name="tokens"
          value={typed}
          error={errorOf(problem, 'tokens')}
          help={`What follows /api/push/ in the addresses of ${label}: one a line, at most ${MOST_PUSH_TOKENS}. Anyone who knows one can ping this check.`}
          mono
        />
        <FormEnd page={page} cancel={home}>
          <Button look="primary">Save</Button>
        </FormEnd>
      </PostForm>
      {tokens.length > 0 ? (
        <section class="section">
          <h2>Addresses</h2>
          <div class="stack">
            {tokens.map(token => (
              <CopyLine text={`${siteRoot}/api/push/${token}`} />
            ))}
          </div>
        </section>
      ) : null}
    </Layout>
  )
}
