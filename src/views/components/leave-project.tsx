import type { PageContext } from '../page-context.js'
import { Menu } from './disclosure.js'
import { PostForm } from './forms/post-form.js'

interface Props {
  page: PageContext
  project: { uuid: string }
  /** The page to show then, a path of this site; without it the overview. */
  next?: string
}

/** A menu in which a member leaves a project. */
export function LeaveProject({ page, project, next }: Props) {
  return (
    <Menu label="Leave" end>
      <PostForm page={page} action={`/projects/${project.uuid}/leave/`} class="menu-form">
        {next === undefined ? null : <input type="hidden" name="next" value={next} />}
        <p>You will no longer see this project. To come back, you need a new invitation.</p>
        <button type="submit" class="button button-danger button-small">
          Leave project
        </button>
      </PostForm>
    </Menu>
  )
}
