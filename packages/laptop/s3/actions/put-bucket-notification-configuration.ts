import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { notification } from '../configuration/notification.ts';

export const putBucketNotificationConfiguration = putConfiguration(notification);
