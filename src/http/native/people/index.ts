export { createInvitation, listInvitations, withdrawInvitation } from './invitations.js'
export { getMe, listOwnTokens, patchMe, revokeOwnToken } from './me.js'
export { getMember, listMembers, patchMember, removeMember } from './members.js'
