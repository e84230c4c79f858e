interface FakeKeyRow {
  key_id: string;
  account_id: string;
  active: boolean;
  expires_in_ms: number | null;
  requests_per_minute: number | null;
}

/** The answer for a key that is accepted and does not expire. */
export const activeKey: FakeKeyRow = {
  key_id: '7',
  account_id: '3',
  active: true,
  expires_in_ms: null,
  requests_per_minute: null,
};

/** A fake pool. The test sets its answer, whether it is down, and when it answers. */
export class FakeKeyDatabase {
  says: FakeKeyRow | undefined;
  isDown = false;
  fails: Error | undefined;
  asked = 0;
  private waiting: Promise<FakeKeyRow | undefined> | undefined;

  answersLater(): (row: FakeKeyRow | undefined) => void {
    const { promise, resolve } = Promise.withResolvers<FakeKeyRow | undefined>();
    this.waiting = promise;
    return resolve;
  }

  answersAtOnce(): void {
    this.waiting = undefined;
  }

  async query(): Promise<object[]> {
    this.asked += 1;
    if (this.fails !== undefined) throw this.fails;
    if (this.isDown) throw Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    const row = this.waiting === undefined ? this.says : await this.waiting;
    return row === undefined ? [] : [row];
  }
}
