import { PROTOCOL_NAMES, PROTOCOLS, type ProtocolWords } from '../../../../core/projects/protocols.js'
import { CopyLine } from '../../../components/copy.js'
import { Button } from '../../../components/forms/button.js'
import { Tick, TickGroup } from '../../../components/forms/field.js'
import { errorOf } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { link } from '../../../page-context.js'
import type { ProjectSettings } from './settings.js'

/** Which clients of other monitors may ping this project. */
export function Protocols({ page, project, protocols, pingKey, siteRoot, refused }: ProjectSettings) {
  return (
    <section class="section" id="protocols">
      <h2>Other monitors</h2>
      <PostForm page={page} action={`/projects/${project.uuid}/protocols/`} class="form">
        <TickGroup
          label="Accept clients of these monitors, with the ping key"
          error={errorOf(refused?.form === 'protocols' ? refused.problem : null, 'protocols')}
        >
          {PROTOCOL_NAMES.map(name => (
            <Tick
              label={PROTOCOLS[name].label}
              help={PROTOCOLS[name].help}
              name="protocols"
              value={name}
              checked={protocols.includes(name)}
            />
          ))}
        </TickGroup>
        <div class="form-end">
          <Button>Save</Button>
        </div>
      </PostForm>
      {protocols.length > 0 ? (
        <div class="stack after-table">
          {protocols.map(name => {
            const { label, guide, address }: ProtocolWords = PROTOCOLS[name]
            return (
              <div>
                <p>
                  <a href={link(page, `/docs/${guide}/`)}>{label}</a>
                </p>
                <CopyLine text={address(siteRoot, pingKey ?? 'PING_KEY')} />
              </div>
            )
          })}
        </div>
      ) : null}
    </section>
  )
}
