import { projectLabel } from '../../../../core/projects/project-label.js'
import { Disclosure } from '../../../components/disclosure.js'
import { Button } from '../../../components/forms/button.js'
import { Field } from '../../../components/forms/field.js'
import { errorOf } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import type { ProjectSettings } from './settings.js'

/** Deleting cannot be undone, so the name must be typed. */
export function Deletion({ page, project, refused }: ProjectSettings) {
  const problem = refused?.form === 'deletion' ? refused.problem : null
  const checks = project.checks === 1 ? 'its check' : `its ${project.checks} checks`
  return (
    <section class="section" id="delete">
      <h2>Delete</h2>
      <Disclosure danger summary="Delete this project" open={problem !== null}>
        <PostForm page={page} action={`/projects/${project.uuid}/remove/`} class="form">
          <p>
            {project.checks === 0
              ? 'The project goes'
              : `This deletes the project with ${checks}, their logs`}{' '}
            and all integrations. Pings to it will fail. Incidents that are open in other tools stay open
            there. This cannot be undone.
          </p>
          <Field
            label={`Type ${projectLabel(project)} to confirm`}
            name="name"
            id="delete-name"
            value={problem ? refused!.typed.name : undefined}
            required
            autocomplete="off"
            error={errorOf(problem, 'name')}
          />
          <div class="form-end">
            <Button look="danger">Delete project</Button>
          </div>
        </PostForm>
      </Disclosure>
    </section>
  )
}
