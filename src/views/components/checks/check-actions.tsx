import type { CheckPageProps } from '../../check-page.js'
import { link, mayWrite } from '../../page-context.js'
import { Menu } from '../disclosure.js'
import { Button, ButtonLink } from '../forms/button.js'
import { PostForm } from '../forms/post-form.js'
import { SnoozeMenu } from '../silences/snooze-menu.js'

/** The actions on a check, at the top of its page. */
export function CheckActions({ page, check, targets, takesPushTokens }: CheckPageProps) {
  if (!mayWrite(page)) return null
  const at = (action: string) => `/checks/${check.uuid}/${action}/`
  const paused = check.status === 'paused'
  return (
    <div class="actions" id="actions" data-part>
      <PostForm page={page} action={at('ping')}>
        <Button stay title="Records a success ping">
          Ping now
        </Button>
      </PostForm>
      <PostForm page={page} action={at(paused ? 'resume' : 'pause')}>
        <Button stay shortcut="p">
          {paused ? 'Resume' : 'Pause'}
        </Button>
      </PostForm>
      <SnoozeMenu page={page} checkUuid={check.uuid} end />
      <ButtonLink href={link(page, at('edit'))} shortcut="e">
        Edit
      </ButtonLink>
      <Menu label="More" end>
        <PostForm page={page} action={at('copy')}>
          <button type="submit">Duplicate</button>
        </PostForm>
        {targets.length > 0 ? <a href={link(page, at('transfer'))}>Move to another project…</a> : null}
        {takesPushTokens ? <a href={link(page, at('push-tokens'))}>Push tokens…</a> : null}
        <a href={link(page, at('clear_events'))}>Clear events…</a>
        <a href={link(page, at('remove'))}>Delete…</a>
      </Menu>
    </div>
  )
}
