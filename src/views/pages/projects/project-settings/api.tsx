import { Button } from '../../../components/forms/button.js'
import { Select } from '../../../components/forms/field.js'
import { errorOf } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import type { ProjectSettings } from './settings.js'

const ARRAY = 'An array: […]'
const OBJECT = 'An object: {"flips": […]}'

/** Settings for programs that use the project's keys. */
export function Api({ page, project, flips, refused }: ProjectSettings) {
  return (
    <section class="section" id="api">
      <h2>API</h2>
      <p class="muted">Programs written for Healthchecks expect the object.</p>
      <PostForm page={page} action={`/projects/${project.uuid}/flips/`} class="form-line after-table">
        <Select
          label="List of flips in version 3"
          name="flips"
          value={flips.shape}
          error={errorOf(refused?.form === 'flips' ? refused.problem : null, 'flips')}
          options={[
            {
              value: 'default',
              label: `Default of this installation (${flips.wrapByDefault ? 'object' : 'array'})`,
            },
            { value: 'array', label: ARRAY },
            { value: 'object', label: OBJECT },
          ]}
        />
        <div class="form-end">
          <Button>Save</Button>
        </div>
      </PostForm>
    </section>
  )
}
