import type { CheckPageProps } from '../../check-page.js'
import { link, mayWrite } from '../../page-context.js'
import { PostForm } from '../forms/post-form.js'
import { ChannelSign } from './channel-toggle.js'

type Props = Pick<CheckPageProps, 'page' | 'check' | 'channels' | 'policy'>

/** The channels of the project, each with a switch for this check, and its policy. */
export function CheckChannels(props: Props) {
  const { page, check, channels } = props
  return (
    <section class="section" id="integrations" data-part>
      <h2>Integrations</h2>
      {channels.length === 0 ? (
        <p class="notice">
          No one is alerted when this check goes down.{' '}
          {page.project ? (
            <a href={link(page, `/projects/${page.project.uuid}/integrations/`)}>Add an integration</a>
          ) : null}
        </p>
      ) : (
        <ul class="switches">
          {channels.map(channel => (
            <li>
              <ChannelSign kind={channel.kind} />
              <span class="clip">{channel.name || channel.label}</span>
              {channel.disabled ? <span class="muted small">disabled</span> : null}
              {mayWrite(page) ? (
                <PostForm page={page} action={`/checks/${check.uuid}/channels/${channel.uuid}/enabled`}>
                  <input type="hidden" name="from" value="check" />
                  <button
                    type="submit"
                    class={channel.on ? 'switch on' : 'switch'}
                    name="state"
                    value={channel.on ? 'off' : 'on'}
                    aria-pressed={channel.on ? 'true' : 'false'}
                    data-stay
                  >
                    <span class="sr-only">{channel.name || channel.label}: </span>
                    {channel.on ? 'On' : 'Off'}
                  </button>
                </PostForm>
              ) : (
                <span class="muted">{channel.on ? 'On' : 'Off'}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      <CheckPolicy {...props} />
    </section>
  )
}

/** Whom the policy of the check alerts, and when. */
export function CheckPolicy({ page, policy }: Pick<Props, 'page' | 'policy'>) {
  if (policy === null || page.project === null) return null
  const { id, name, isNamed, words } = policy
  return (
    <p class="check-policy">
      Policy <a href={link(page, `/projects/${page.project.uuid}/policies/#policy-${id}`)}>{name}</a>
      {isNamed ? '' : ', the default'}: {words}
    </p>
  )
}
