import { link, mayWrite, type PageContext } from '../../page-context.js'
import { Menu } from '../disclosure.js'
import { PostForm } from '../forms/post-form.js'
import { SnoozeButtons } from './snooze-buttons.js'

interface Props {
  page: PageContext
  checkUuid: string
  /** Whether it opens to the left. */
  end?: boolean
}

/** A menu that snoozes a check, for those who may. */
export function SnoozeMenu({ page, checkUuid, end = false }: Props) {
  if (!mayWrite(page)) return null
  return (
    <Menu label="Snooze" end={end}>
      <PostForm page={page} action={`/checks/${checkUuid}/snooze/`}>
        <SnoozeButtons
          name="for"
          other={link(page, `/projects/${page.project!.uuid}/silences/add/?check=${checkUuid}`)}
        />
      </PostForm>
    </Menu>
  )
}
