import { projectLabel } from '../../../core/projects/project-label.js'
import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  email: string
  /** The projects that are deleted with the account. */
  projects: readonly { uuid: string; name: string }[]
  typed: string
  problem: Problem | null
}

/** Closing an account cannot be undone, so the address must be typed. */
export function CloseAccountPage({ page, email, projects, typed, problem }: Props) {
  return (
    <Layout page={page} title="Close account" section="account" parent="account" measure="form">
      <PageHead title="Close account" lead="This cannot be undone." />
      <PostForm page={page} action="/accounts/close/" class="form">
        <FormProblem problem={problem} />
        {projects.length > 0 ? (
          <div>
            <p>These projects are deleted too, for all their members:</p>
            <ul class="plain-list">
              {projects.map(project => (
                <li>
                  <a href={link(page, `/projects/${project.uuid}/settings/#transfer`)}>
                    {projectLabel(project)}
                  </a>
                </li>
              ))}
            </ul>
            <p class="help">To keep one, transfer it to a member first.</p>
          </div>
        ) : (
          <p>You own no projects. Projects of which you are a member stay.</p>
        )}
        <Field
          label={`Type ${email} to confirm`}
          name="email"
          value={typed}
          required
          autocomplete="off"
          error={errorOf(problem, 'email')}
        />
        <FormEnd page={page} cancel="/accounts/profile/">
          <Button look="danger">Close account</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}
