import { getConfiguration } from '../configuration/bucket-configuration.ts';
import { notification } from '../configuration/notification.ts';

export const getBucketNotificationConfiguration = getConfiguration(notification);
