import { projectLabel } from '../../../../core/projects/project-label.js'
import { EmailAddress } from '../../../components/email-address.js'
import { Button } from '../../../components/forms/button.js'
import { Select } from '../../../components/forms/field.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Time } from '../../../components/time.js'
import type { Person, ProjectSettings } from './settings.js'

/** Giving the project to a member: offering, waiting, and what the member sees. */
export function Transfer(settings: ProjectSettings & { offeredTo: Person | null }) {
  const { page, project, members, reader, offeredTo } = settings
  const at = `/projects/${project.uuid}/transfer`
  if (offeredTo?.uuid === reader) return <Offered {...settings} at={at} />
  const others = members.filter(({ role }) => role !== 'owner')
  return (
    <section class="section" id="transfer">
      <h2>Transfer</h2>
      {offeredTo ? (
        <div class="stack">
          <p>
            Offered to <EmailAddress address={offeredTo.email} />{' '}
            <Time page={page} at={offeredTo.transferRequestedAt} />. You stay the owner until they accept on
            this page.
          </p>
          <PostForm page={page} action={`${at}/cancel/`}>
            <Button>Withdraw offer</Button>
          </PostForm>
        </div>
      ) : others.length === 0 ? (
        <p class="muted">Invite someone first. Ownership can go to a member; you stay on as a member.</p>
      ) : (
        <PostForm page={page} action={`${at}/`} class="form">
          <Select
            label="New owner"
            name="member"
            options={others.map(({ uuid, email }) => ({ value: uuid, label: email }))}
            help="They accept on this page. You stay on as a member."
          />
          <div class="form-end">
            <Button>Offer ownership</Button>
          </div>
        </PostForm>
      )}
    </section>
  )
}

function Offered({ page, project, members, at }: ProjectSettings & { at: string }) {
  const owner = members.find(({ role }) => role === 'owner')
  return (
    <section class="notice stack" id="transfer">
      <p>
        <strong>
          {owner ? <EmailAddress address={owner.email} /> : 'The owner'} wants to transfer{' '}
          {projectLabel(project)} to you.
        </strong>{' '}
        Its checks will count towards the limit of your account.
      </p>
      <div class="form-end">
        <PostForm page={page} action={`${at}/accept/`}>
          <Button look="primary">Accept</Button>
        </PostForm>
        <PostForm page={page} action={`${at}/cancel/`}>
          <Button>Decline</Button>
        </PostForm>
      </div>
    </section>
  )
}
