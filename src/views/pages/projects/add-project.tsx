import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  name: string
  problem: Problem | null
}

/** The form for the name of a new project. */
export function AddProjectPage({ page, name, problem }: Props) {
  return (
    <Layout page={page} title="New project" measure="form">
      <PageHead
        title="New project"
        lead="A project has its own checks, integrations, API keys and members. Most teams create one for each system."
      />
      <PostForm page={page} action="/projects/add/" class="form">
        <FormProblem problem={problem} />
        <Field
          label="Name"
          name="name"
          value={name}
          maxlength={100}
          required
          autofocus
          error={errorOf(problem, 'name')}
        />
        <FormEnd page={page} cancel="/">
          <Button look="primary">Create project</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}
