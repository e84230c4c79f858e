/** Every API key of this version starts with this. */
export const apiKeyPrefix = 'svc_v1_';
