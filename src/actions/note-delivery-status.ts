import type { DeliveryStatus } from '../storage/delivery-status.js'
import type { Store } from '../storage/store.js'

/** Notes what became of a message after a service took it. See storage/delivery-status.ts. */
export async function noteDeliveryStatus(deps: { store: Store }, status: DeliveryStatus): Promise<void> {
  await deps.store.noteDeliveryStatus(status)
}
